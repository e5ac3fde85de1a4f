// A ring in Rust. Handles are int or pointers, by MPI: what is passed on is never looked at.
use std::ffi::CString;
use std::os::raw::{c_char, c_int, c_void};
use std::ptr;

#[cfg(handles_are_numbers)]
type Handle = c_int;
#[cfg(not(handles_are_numbers))]
type Handle = *mut c_void;

extern "C" {
    static shim_world: Handle;
    static shim_int: Handle;
    static shim_sum: Handle;
    fn shim_wtime() -> f64;
    fn MPI_Init(argc: *mut c_int, argv: *mut *mut *mut c_char) -> c_int;
    fn MPI_Finalize() -> c_int;
    fn MPI_Comm_rank(comm: Handle, rank: *mut c_int) -> c_int;
    fn MPI_Comm_size(comm: Handle, size: *mut c_int) -> c_int;
    fn MPI_Comm_dup(comm: Handle, copy: *mut Handle) -> c_int;
    fn MPI_Comm_set_name(comm: Handle, name: *const c_char) -> c_int;
    fn MPI_Comm_free(comm: *mut Handle) -> c_int;
    fn MPI_Allreduce(send: *const c_void, receive: *mut c_void, count: c_int, datatype: Handle, op: Handle, comm: Handle) -> c_int;
    fn MPI_Send(data: *const c_void, count: c_int, datatype: Handle, dest: c_int, tag: c_int, comm: Handle) -> c_int;
    fn MPI_Recv(data: *mut c_void, count: c_int, datatype: Handle, source: c_int, tag: c_int, comm: Handle, status: *mut c_void) -> c_int;
}

/// A communicator that is freed when it goes out of scope, as rsmpi's are.
struct Communicator(Handle);

impl Communicator {
    fn copy_of_world(name: &str) -> Communicator {
        let mut copy = std::mem::MaybeUninit::uninit();
        let name = CString::new(name).unwrap();
        unsafe {
            assert_eq!(MPI_Comm_dup(shim_world, copy.as_mut_ptr()), 0);
            let copy = copy.assume_init();
            assert_eq!(MPI_Comm_set_name(copy, name.as_ptr()), 0);
            Communicator(copy)
        }
    }

    fn sum(&self, value: c_int) -> c_int {
        let mut total = 0;
        let (from, to) = (&value as *const c_int as *const c_void, &mut total as *mut c_int as *mut c_void);
        assert_eq!(unsafe { MPI_Allreduce(from, to, 1, shim_int, shim_sum, self.0) }, 0);
        total
    }

    #[inline(never)]
    fn pass_on(&self, rank: c_int, size: c_int) -> c_int {
        let mut got = [0 as c_int; 64];
        let sent = [rank; 4];
        let mut status = [0u64; 16];
        let (right, left) = ((rank + 1) % size, (rank + size - 1) % size);
        unsafe {
            assert_eq!(MPI_Send(sent.as_ptr() as *const c_void, 4, shim_int, right, 7, self.0), 0);
            let receive = got.as_mut_ptr() as *mut c_void;
            assert_eq!(MPI_Recv(receive, 64, shim_int, left, 7, self.0, status.as_mut_ptr() as *mut c_void), 0);
        }
        got[0]
    }
}

impl Drop for Communicator {
    fn drop(&mut self) {
        assert_eq!(unsafe { MPI_Comm_free(&mut self.0) }, 0);
    }
}

fn main() {
    let (mut rank, mut size) = (0, 0);
    unsafe {
        assert_eq!(MPI_Init(ptr::null_mut(), ptr::null_mut()), 0);
        assert_eq!(MPI_Comm_rank(shim_world, &mut rank), 0);
        assert_eq!(MPI_Comm_size(shim_world, &mut size), 0);
    }
    let begin = unsafe { shim_wtime() };
    {
        let ring = Communicator::copy_of_world("ring of rust");
        let total = (0..10).map(|_| ring.sum(rank)).sum::<c_int>();
        println!("rank {} of {}: {} from the left, {} together", rank, size, ring.pass_on(rank, size), total);
    }
    assert!(unsafe { shim_wtime() } >= begin);
    assert_eq!(unsafe { MPI_Finalize() }, 0);
}
