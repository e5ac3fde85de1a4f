/* Epochs that MPI_Win_start and MPI_Win_post open on windows: how many, with which peers. `callsign hang` finds from
   the counts of both sides what was not given yet. Peers are ranks in the window's communicator. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum cs_epoch_side { CS_EPOCH_ACCESS, CS_EPOCH_EXPOSURE };

/* A window with more peers is not counted. */
enum { CS_EPOCH_PEERS_MOST = 256 };

/* An epoch of a group of peers. */
struct cs_epoch {
    uint32_t window;
    enum cs_epoch_side side;
    uint32_t group; /* its id; 0: not known */
    bool unchecked; /* MPI_MODE_NOCHECK */
};

/* Opens the epoch with the peers of the last one, if that was of the same group. False: it was not. */
bool cs_epoch_reopen(const struct cs_epoch *epoch);

/* Opens the epoch with these peers. */
void cs_epoch_open(const struct cs_epoch *epoch, const int *peer, int peers);

/* The call that opens an access epoch has ended. If it failed, the epoch does not count. */
void cs_epoch_begun(uint32_t window, bool succeeded);

/* An epoch with one peer. */
struct cs_epoch_peer {
    int32_t peer;
    uint32_t nth; /* number of the epoch with the peer, from 1 */
};

/* Lists the peers of the open epoch. Returns their number; 0: none, or not known. */
int cs_epoch_peers(uint32_t window, enum cs_epoch_side side, struct cs_epoch_peer peer[CS_EPOCH_PEERS_MOST]);

void cs_epoch_close(uint32_t window, enum cs_epoch_side side);

/* Some epochs of the window are not counted. */
void cs_epoch_lose(uint32_t window);

/* The window is dead. */
void cs_epoch_drop(uint32_t window);

/* In a forked child. */
void cs_epoch_forget(void);
