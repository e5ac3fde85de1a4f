/* Comparisons of communicators and groups: each pair, its answer and how often. Two ranks or more. */
#include "check.h"

static const char *const words[] = {"MPI_IDENT", "MPI_CONGRUENT", "MPI_SIMILAR", "MPI_UNEQUAL"};

static const char *word_of(int answer)
{
    return answer == MPI_IDENT       ? words[0]
           : answer == MPI_CONGRUENT ? words[1]
           : answer == MPI_SIMILAR   ? words[2]
                                     : words[3];
}

static void compare(MPI_Comm first, MPI_Comm second, int expected, int times)
{
    for (int i = 0; i < times; i++) {
        int answer = -1;
        CALL(MPI_Comm_compare)(first, second, &answer);
        CHECK(answer == expected);
    }
}

static void expect(const char *first, const char *second, int answer, int calls)
{
    check_sql(
        "SELECT count(*) = 1 AND sum(calls) = %d AND min(answer) = '%s' AND min(first_ns <= last_ns) AND "
        "min(location) IS NOT NULL FROM comparisons WHERE kind = 'communicator' AND first = '%s' AND second = '%s'",
        calls, word_of(answer), first, second);
}

static void communicators(MPI_Comm dup, MPI_Comm turned)
{
    compare(MPI_COMM_WORLD, MPI_COMM_WORLD, MPI_IDENT, 1);
    compare(MPI_COMM_WORLD, dup, MPI_CONGRUENT, 3);
    compare(dup, turned, MPI_SIMILAR, 2);
    compare(turned, MPI_COMM_SELF, MPI_UNEQUAL, 1);
    expect("MPI_COMM_WORLD", "MPI_COMM_WORLD", MPI_IDENT, 1);
    expect("MPI_COMM_WORLD", "dup", MPI_CONGRUENT, 3);
    expect("dup", "turned", MPI_SIMILAR, 2);
    expect("turned", "MPI_COMM_SELF", MPI_UNEQUAL, 1);
}

static void groups(MPI_Comm dup, MPI_Comm turned)
{
    MPI_Group of_dup, of_turned;
    int answer[5] = {-1, -1, -1, -1, -1};
    CALL(MPI_Comm_group)(dup, &of_dup);
    CALL(MPI_Comm_group)(turned, &of_turned);
    CALL(MPI_Group_compare)(of_dup, of_dup, &answer[0]);
    CALL(MPI_Group_compare)(of_dup, of_turned, &answer[1]);
    CALL(MPI_Group_compare)(of_dup, of_turned, &answer[2]);
    CALL(MPI_Group_compare)(of_turned, MPI_GROUP_EMPTY, &answer[3]);
    CALL(MPI_Group_compare)(MPI_GROUP_EMPTY, MPI_GROUP_EMPTY, &answer[4]);
    CHECK(answer[0] == MPI_IDENT && answer[1] == MPI_SIMILAR && answer[3] == MPI_UNEQUAL && answer[4] == MPI_IDENT);
    check_sql("SELECT sum(calls) = 5 FROM comparisons WHERE kind = 'group'");
    check_sql(
        "SELECT count(*) = 2 AND sum(c.calls) = 2 AND min(c.answer) = 'MPI_SIMILAR' FROM comparison c "
        "JOIN object a ON a.object = c.first JOIN object b ON b.object = c.second JOIN object p ON p.object = a.parent "
        "JOIN object q ON q.object = b.parent WHERE p.name = 'dup' AND q.name = 'turned'");
    check_sql(
        "SELECT answer = 'MPI_UNEQUAL' FROM comparisons WHERE kind = 'group' AND first LIKE 'group %% of turned'");
    check_sql("SELECT answer = 'MPI_IDENT' AND calls = 1 FROM comparison WHERE kind = 'group' AND first = 0");
    CALL(MPI_Group_free)(&of_dup);
    CALL(MPI_Group_free)(&of_turned);
}

/* A refused comparison has no result. */
static void refused(void)
{
    int answer;
    CALL(MPI_Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(CALL(MPI_Comm_compare)(MPI_COMM_NULL, MPI_COMM_WORLD, &answer) != MPI_SUCCESS);
    check_sql("SELECT sum(calls) = 7 FROM comparisons WHERE kind = 'communicator'");
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm dup, turned;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &dup);
    CALL(MPI_Comm_set_name)(dup, "dup");
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, 0, -rank, &turned);
    CALL(MPI_Comm_set_name)(turned, "turned");
    check_made("communicator", "MPI_Comm_dup", 1);
    check_made("communicator", "MPI_Comm_split", 1);
    communicators(dup, turned);
    groups(dup, turned);
    refused();
    CALL(MPI_Comm_free)(&dup);
    CALL(MPI_Comm_free)(&turned);
    check_freed("communicator", "MPI_Comm_free", 2);
    check_say("rank %d is done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
