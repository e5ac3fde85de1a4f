#include "db/replay/fitted_costs.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"

/* A power of two of nanoseconds has so many bins, which are at most 6 % wide. */
enum { BINS_OF_POWER = 16, POWERS = 48, BINS = BINS_OF_POWER * POWERS };
enum { SMALL_BYTES = 1024, LARGE_BYTES = 32768, SAMPLES_LEAST = 5 };

struct histogram {
    struct cs_cost_kind kind;
    UT_hash_handle hh;
    int64_t samples;
    double bytes;
    int64_t typical; /* cached; 0: not yet */
    uint32_t bin[BINS];
};

struct cs_fitted_costs {
    struct histogram *histograms;
};

int32_t cs_cost_size(int64_t bytes)
{
    return bytes <= 0 ? 0 : 64 - __builtin_clzll((unsigned long long)bytes);
}

/* Below BINS_OF_POWER, each value has its own bin. */
static size_t bin_of(int64_t ns)
{
    if (ns < BINS_OF_POWER)
        return ns < 0 ? 0 : (size_t)ns;
    int power = 63 - __builtin_clzll((unsigned long long)ns);
    size_t bin = (size_t)(power - 3) * BINS_OF_POWER + ((size_t)(ns >> (power - 4)) & (BINS_OF_POWER - 1));
    return bin < BINS ? bin : BINS - 1;
}

static int64_t middle_of(size_t bin)
{
    if (bin < BINS_OF_POWER)
        return (int64_t)bin;
    int power = (int)(bin / BINS_OF_POWER) + 3;
    int64_t width = (int64_t)1 << (power - 4);
    return (BINS_OF_POWER + (int64_t)(bin % BINS_OF_POWER)) * width + width / 2;
}

struct cs_fitted_costs *cs_fitted_costs_new(void)
{
    return calloc(1, sizeof(struct cs_fitted_costs));
}

void cs_fitted_costs_free(struct cs_fitted_costs *costs)
{
    if (costs)
        CS_TABLE_FREE(costs->histograms);
    free(costs);
}

static struct histogram *find_histogram(const struct cs_fitted_costs *costs, const struct cs_cost_kind *kind)
{
    struct histogram *found;
    HASH_FIND(hh, costs->histograms, kind, sizeof *kind, found);
    return found;
}

bool cs_fitted_costs_add(struct cs_fitted_costs *costs, const struct cs_cost_kind *kind, int64_t bytes, int64_t ns)
{
    struct histogram *histogram = find_histogram(costs, kind);
    if (!histogram) {
        histogram = calloc(1, sizeof *histogram);
        if (!histogram)
            return false;
        histogram->kind = *kind;
        CS_TABLE_ADD(costs->histograms, kind, histogram);
        if (!histogram)
            return false;
    }
    histogram->samples++;
    histogram->bytes += (double)bytes;
    histogram->bin[bin_of(ns)]++;
    histogram->typical = 0;
    return true;
}

static int64_t quantile_of(const struct histogram *histogram, double share)
{
    double wanted = share * (double)histogram->samples, seen = 0;
    for (size_t i = 0; i < BINS; i++)
        if ((seen += histogram->bin[i]) > wanted)
            return middle_of(i);
    return middle_of(BINS - 1);
}

int64_t cs_fitted_costs_typical(struct cs_fitted_costs *costs, const struct cs_cost_kind *kind)
{
    struct histogram *histogram = find_histogram(costs, kind);
    if (!histogram)
        return -1;
    if (!histogram->typical)
        histogram->typical = 1 + quantile_of(histogram, 0.5);
    return histogram->typical - 1;
}

bool cs_fitted_costs_network(const struct cs_fitted_costs *costs, enum cs_distance distance, struct cs_network *network)
{
    const struct histogram *small = NULL, *large = NULL;
    for (const struct histogram *each = costs->histograms; each; each = each->hh.next) {
        if (each->kind.part != CS_COST_OF_MESSAGE || each->kind.apart != (int32_t)distance ||
            each->samples < SAMPLES_LEAST)
            continue;
        double bytes = each->bytes / (double)each->samples;
        if (bytes <= SMALL_BYTES && (!small || each->kind.size < small->kind.size))
            small = each;
        if (bytes >= LARGE_BYTES && (!large || each->kind.size > large->kind.size))
            large = each;
    }
    if (!small)
        return false;
    *network = (struct cs_network){.latency_ns = (double)quantile_of(small, 0.1)};
    if (large) {
        double more_ns = (double)quantile_of(large, 0.1) - network->latency_ns;
        network->ns_per_byte = more_ns > 0 ? more_ns / (large->bytes / (double)large->samples) : 0;
    }
    return true;
}
