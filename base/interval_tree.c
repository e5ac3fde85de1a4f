#include "base/interval_tree.h"

#include <stddef.h>

#include "base/hash.h"

/* Equal begins are ordered by the places of the nodes, so that each node is found again. */
static bool comes_before(const struct cs_interval *a, const struct cs_interval *b)
{
    return a->begin != b->begin ? a->begin < b->begin : (uintptr_t)a < (uintptr_t)b;
}

static void count_below(struct cs_interval *it)
{
    it->most = it->end;
    if (it->left && it->left->most > it->most)
        it->most = it->left->most;
    if (it->right && it->right->most > it->most)
        it->most = it->right->most;
}

/* Divides a tree into what comes before a node and what comes behind it. */
static void divide(struct cs_interval *tree, const struct cs_interval *by, struct cs_interval **before,
                   struct cs_interval **behind)
{
    if (!tree) {
        *before = *behind = NULL;
    } else if (comes_before(tree, by)) {
        divide(tree->right, by, &tree->right, behind);
        *before = tree;
        count_below(tree);
    } else {
        divide(tree->left, by, before, &tree->left);
        *behind = tree;
        count_below(tree);
    }
}

static struct cs_interval *join(struct cs_interval *before, struct cs_interval *behind)
{
    if (!before || !behind)
        return before ? before : behind;
    if (before->priority >= behind->priority) {
        before->right = join(before->right, behind);
        count_below(before);
        return before;
    }
    behind->left = join(before, behind->left);
    count_below(behind);
    return behind;
}

void cs_intervals_add(struct cs_interval **tree, struct cs_interval *it)
{
    uint64_t address = (uint64_t)(uintptr_t)it;
    it->priority = (uint32_t)(cs_hash_mix(cs_hash_mix(0, address), address) >> 32);
    while (*tree && (*tree)->priority >= it->priority) {
        if ((*tree)->most < it->end)
            (*tree)->most = it->end;
        tree = comes_before(it, *tree) ? &(*tree)->left : &(*tree)->right;
    }
    divide(*tree, it, &it->left, &it->right);
    *tree = it;
    count_below(it);
}

void cs_intervals_extend(struct cs_interval *tree, struct cs_interval *it, uint64_t end)
{
    it->end = end;
    for (struct cs_interval *at = tree;; at = comes_before(it, at) ? at->left : at->right) {
        if (at->most < end)
            at->most = end;
        if (at == it)
            return;
    }
}

void cs_intervals_remove(struct cs_interval **tree, struct cs_interval *it)
{
    if (*tree == it) {
        *tree = join(it->left, it->right);
        return;
    }
    struct cs_interval *above = *tree;
    cs_intervals_remove(comes_before(it, above) ? &above->left : &above->right, it);
    count_below(above);
}

struct cs_interval *cs_intervals_find(struct cs_interval *tree, uint64_t begin, uint64_t end,
                                      bool (*visit)(struct cs_interval *it, void *context), void *context)
{
    while (tree && tree->most > begin) {
        struct cs_interval *found = cs_intervals_find(tree->left, begin, end, visit, context);
        if (found)
            return found;
        if (tree->begin >= end)
            return NULL;
        if (tree->end > begin && visit(tree, context))
            return tree;
        tree = tree->right;
    }
    return NULL;
}
