! How objects were made, told in Fortran: arguments by reference, logical arrays, character arguments with blanks at their end, addresses.
! Compiled for each binding; test_details.py says what the trace must tell. Two ranks. The first argument of the program is the path of a file.
#if defined(BINDING_F08)
#define HANDLE(kind) type(kind)
#define BINDING use mpi_f08
#elif defined(BINDING_MPI)
#define HANDLE(kind) integer
#define BINDING use mpi
#else
#define HANDLE(kind) integer
#define BINDING
#endif

program details
    BINDING
    use, intrinsic :: iso_c_binding, only: c_ptr
    implicit none
#if defined(BINDING_MPIF_H)
    include 'mpif.h'
#endif
    HANDLE(MPI_Comm) :: split, cart, lines, graph, half, inter
    HANDLE(MPI_Datatype) :: vector, two, place, pair, block, grid
    HANDLE(MPI_Datatype) :: types(2)
    HANDLE(MPI_Info) :: info
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Win) :: win
    integer :: error, rank, size
    integer :: dims(2), lengths(2)
    logical :: periods(2), remain(2), found
#if defined(BINDING_F08)
    type(c_ptr) :: board
#else
    integer(MPI_ADDRESS_KIND) :: board
#endif
    integer(MPI_ADDRESS_KIND) :: addresses(2), bytes, value
    character(len=512) :: path

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    call get_command_argument(1, path)

    call MPI_Comm_split(MPI_COMM_WORLD, 7, -rank, split, error)
    call MPI_Comm_set_name(split, 'split', error)
    call MPI_Comm_free(split, error)

    dims = (/ size, 1 /)
    periods = (/ .true., .false. /)
    remain = (/ .false., .true. /)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., cart, error)
    call MPI_Comm_set_name(cart, 'cart', error)
    call MPI_Cart_sub(cart, remain, lines, error)
    call MPI_Comm_set_name(lines, 'lines', error)
    call MPI_Comm_free(lines, error)
    call MPI_Comm_free(cart, error)

    call MPI_Graph_create(MPI_COMM_WORLD, 2, (/ 1, 2 /), (/ 1, 0 /), .true., graph, error)
    call MPI_Comm_set_name(graph, 'graph', error)
    call MPI_Comm_free(graph, error)

    call MPI_Comm_split(MPI_COMM_WORLD, rank, 0, half, error)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, 99, inter, error)
    call MPI_Comm_set_name(inter, 'inter', error)
    call MPI_Comm_free(inter, error)
    call MPI_Comm_free(half, error)

    call MPI_Type_vector(4, 2, 8, MPI_INTEGER, vector, error)
    call MPI_Type_contiguous(3, vector, two, error)
    addresses = (/ 0, 64 /)
    call MPI_Type_create_resized(vector, addresses(1), addresses(2), place, error)
    lengths = (/ 2, 1 /)
    types = (/ MPI_INTEGER, MPI_REAL /)
    call MPI_Type_create_struct(2, lengths, addresses, types, pair, error)
    call MPI_Type_indexed(2, lengths, (/ 0, 5 /), MPI_INTEGER, block, error)
    call MPI_Type_create_subarray(2, (/ 8, 9 /), (/ 4, 5 /), (/ 0, 1 /), MPI_ORDER_FORTRAN, MPI_REAL, grid, error)
    call MPI_Type_free(two, error)
    call MPI_Type_free(place, error)
    call MPI_Type_free(pair, error)
    call MPI_Type_free(block, error)
    call MPI_Type_free(grid, error)
    call MPI_Type_free(vector, error)
#if defined(BINDING_MPIF_H)
    call MPI_Type_hindexed(2, lengths, (/ 0, 48 /), MPI_INTEGER, block, error)
    call MPI_Type_free(block, error)
#endif

    call MPI_Info_create(info, error)
    call MPI_Info_set(info, 'callsign_hint', 'yes', error)
    call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE + MPI_MODE_WRONLY + MPI_MODE_DELETE_ON_CLOSE, info, file, error)
    call MPI_File_close(file, error)
    call MPI_Info_free(info, error)

    bytes = 16
    call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, board, win, error)
    call MPI_Win_set_name(win, 'board', error)
    call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, value, found, error)
    if (.not. found .or. value /= MPI_WIN_FLAVOR_ALLOCATE) print *, 'no flavour'
    call MPI_Win_get_attr(win, MPI_WIN_MODEL, value, found, error)
    print '(2a)', 'model ', merge('unified ', 'separate', value == MPI_WIN_UNIFIED)
    call MPI_Win_free(win, error)
    call MPI_Finalize(error)
end program
