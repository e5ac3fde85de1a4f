/* C++ functions as reports show them. */
#include "base/symbols/signature.h"
#include "tests/support/unit_test.h"

static const struct {
    const char *whole, *shown;
} cases[] = {
    {"", ""},
    {"main", "main"},
    {"__solver_MOD_exchange", "__solver_MOD_exchange"},
    {"step (inlined into main)", "step (inlined into main)"},
    {"solver::Grid::rows()", "solver::Grid::rows"},
    {"solver::Grid::rows(int, char const*) const", "solver::Grid::rows"},
    {"ompi_comm_t* solver::Grid::split<int>(int)", "solver::Grid::split<...>"},
    {"int ddSendrecv<gmx::BasicVector<float> >(gmx_domdec_t const*, int, gmx::ArrayRef<float>)", "ddSendrecv<...>"},
    {"f<1>(int)", "f<...>"},
    {"std::vector<int, std::allocator<int> >::push_back(int&&)", "std::vector<...>::push_back"},
    {"duplicate(int) (inlined into void solver::Grid::split<int>(int))",
     "duplicate (inlined into solver::Grid::split<...>)"},
    {"(anonymous namespace)::send(int)", "(anonymous namespace)::send"},
    {"main::{lambda(int, char)#1}::operator()(int, char) const", "main::{lambda#1}::operator()"},
    {"f(int)::{unnamed type#2}::g()", "f::{unnamed type#2}::g"},
    {"Grid::operator<<(int)", "Grid::operator<<"},
    {"std::ostream& operator<< <char>(std::ostream&, char)", "operator<<<...>"},
    {"Grid::operator->() const", "Grid::operator->"},
    {"Grid::operator()(int)", "Grid::operator()"},
    {"Grid::operator[](int)", "Grid::operator[]"},
    {"Grid::operator unsigned long() const", "Grid::operator unsigned long"},
    {"operator new(unsigned long)", "operator new"},
    {"my_operator(int)", "my_operator"},
    {"decltype (f->g) call<int>(int)", "call<...>"},
    {"send(int) [clone .isra.0]", "send"},
    {"broken<(((", "broken<...>"},
    {"a(b) (inlined into ", "a (inlined into )"},
};

static void names_are_left_without_types(void **state)
{
    (void)state;
    char text[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(cs_signature_shorten(cases[i].whole, text, sizeof text), cases[i].shown);
}

static void text_is_cut_to_its_room(void **state)
{
    (void)state;
    char text[9];
    assert_string_equal(cs_signature_shorten("Grid<int>::split(int)", text, sizeof text), "Grid<...");
    assert_string_equal(cs_signature_shorten("f (inlined into main)", text, 1), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_left_without_types),
        cmocka_unit_test(text_is_cut_to_its_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
