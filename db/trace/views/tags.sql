-- Views: the tags of messages.

-- shared: others
CREATE VIEW summed_tags ( -- the table tag, added up over ranks
    id, -- id of the communicator, as in run_communicators
    first, -- the communicator on the lowest rank that has a row: object_key
    direction, -- send, receive
    tag, -- as in the table
    last_tag, -- as in the table
    largest_tag, -- largest of these tags that was used
    messages, -- number of messages on all ranks together
    ranks, -- ranks that sent or received them
    site, -- call site; 0: unknown
    types, -- sum of the signatures of these messages, as in the table
    untyped -- 1: some of them have no known signature
) AS
SELECT k.id, min(k.object_key), t.direction, t.tag, t.last_tag, max(t.largest_tag), sum(t.messages),
       count(*), t.site, sum(t.types), max(t.untyped) -- a rank has one communicator of an id
FROM tag t JOIN object_keys k ON k.rank = t.rank AND k.object = t.communicator
GROUP BY k.id, t.direction, t.tag, t.last_tag, t.site;

-- shared: others
CREATE VIEW tags ( -- the tags of messages, by communicator and call site
    communicator, -- name, or how it was created
    communicator_uid, -- its id, as in run_communicators
    direction, -- send, receive
    tag, -- tag, or first tag of a range: more than 512 tags from one call site on one communicator by one thread
    last_tag, -- tag, or last tag of the range
    largest_tag, -- largest of these tags that was used
    messages, -- number of messages on all ranks together
    ranks, -- ranks that sent or received them
    used_at, -- call site: function, file and line
    site, -- call site that sent, received or posted the receive; 0: unknown
    types, -- sum of the signatures of these messages, as in tag
    untyped -- 1: some of them have no known signature, as in tag
) AS
WITH first (id, label, object_key) AS MATERIALIZED ( -- label: name on the lowest rank
         SELECT k.id, n.label, min(k.object_key)
         FROM (SELECT DISTINCT rank, communicator AS object FROM tag) t JOIN object_keys k USING (rank, object)
              JOIN labels n USING (rank, object)
         GROUP BY k.id)
SELECT f.label, t.id, t.direction, t.tag, t.last_tag, t.largest_tag, t.messages, t.ranks, s.location, t.site, t.types,
       t.untyped
FROM summed_tags t CROSS JOIN first f ON f.id = t.id -- in this order: SQLite does not know how many tags there are
     LEFT JOIN sites s ON s.site = t.site
ORDER BY f.label, t.id, t.direction, t.tag, t.last_tag, t.site;

-- kept: others
CREATE VIEW tags_too_large ( -- tags above 32767, which an MPI need not allow (MPI 4.1, 9.1.2); see also tag_limits
    communicator, -- name, or how it was created
    tag, -- tag; for a range (see tags) the largest that was used
    direction, -- send, receive
    messages, -- number of messages; for a range those of all its tags
    ranks, -- ranks that sent or received them
    used_at, -- call site: function, file and line
    site -- number of the call site; 0: unknown
) AS
SELECT communicator, largest_tag, direction, messages, ranks, used_at, site
FROM tags WHERE largest_tag > 32767 AND last_tag > 32767 -- SQLite leaves out smaller ones before it adds up
ORDER BY largest_tag DESC, communicator, direction, site;

-- kept: overview
CREATE VIEW largest_tag ( -- one row: the largest tag of a message; no row if no message has a tag
    tag, -- tag
    communicator, -- name, or how it was created
    communicator_uid, -- its id, as in run_communicators
    direction, -- send, receive
    messages, -- number of messages; for a range (see tags) those of all its tags
    used_at, -- call site: function, file and line
    site, -- number of the call site; 0: unknown
    tag_ub, -- least value of MPI_TAG_UB on a rank; NULL: unknown
    asking_ranks, -- number of ranks on which the program queried MPI_TAG_UB
    too_large -- 1: more than every MPI allows, and the program queried it nowhere
) AS
WITH answer (rank, value, by_program) AS MATERIALIZED (
         SELECT a.rank, CASE WHEN a.found AND a.value_kind = 'integer' AND a.error IS NULL THEN a.value END,
                a.operation = 'get'
         FROM attribute a JOIN object o ON o.rank = a.rank AND o.object = a.object
              JOIN keyval k ON k.rank = a.rank AND k.kind = coalesce(a.kind, o.kind) AND k.keyval = a.keyval
                               AND k.name = 'MPI_TAG_UB'
         WHERE a.operation IN ('get', 'survey')),
     bound (least, ranks) AS (SELECT min(value), count(DISTINCT CASE WHEN by_program THEN rank END) FROM answer),
     -- as in summed_tags, of the tags and ranges that may contain the largest one
     summed (id, first, direction, tag, messages, site) AS MATERIALIZED (
         SELECT k.id, min(k.object_key), t.direction, max(t.largest_tag) AS largest, sum(t.messages), t.site
         FROM tag t JOIN object_keys k ON k.rank = t.rank AND k.object = t.communicator
         WHERE t.last_tag >= (SELECT max(largest_tag) FROM tag)
         GROUP BY k.id, t.direction, t.tag, t.last_tag, t.site HAVING largest = (SELECT max(largest_tag) FROM tag))
SELECT t.tag, n.label, t.id, t.direction, t.messages, s.location, t.site, b.least, b.ranks,
       t.tag > 32767 AND b.ranks = 0
FROM summed t JOIN labels n ON n.rank = t.first >> 32 AND n.object = t.first & 4294967295
     LEFT JOIN sites s ON s.site = t.site, bound b
ORDER BY t.direction = 'receive', t.messages DESC, n.label LIMIT 1;

CREATE VIEW whole_communicators ( -- communicators on which all messages are known: every member made all its calls
    -- (complete_processes), has a whole trace here, never paused the recording, and completed no receive with unknown
    -- status (traffic)
    id -- its id, as in run_communicators
) AS
SELECT o.uid
FROM object o JOIN communicator c ON c.rank = o.rank AND c.object = o.object
     LEFT JOIN doubtful_processes d ON d.rank = o.rank
     LEFT JOIN complete_processes e ON e.rank = o.rank
WHERE o.kind = 'communicator' AND o.uid IS NOT NULL GROUP BY o.uid
HAVING count(DISTINCT o.rank) = max(c.size + coalesce(c.remote_size, 0)) AND count(d.rank) = 0
       AND count(*) = count(e.rank)
       AND max(EXISTS (SELECT 1 FROM traffic t WHERE t.rank = o.rank AND t.object = o.object
                       AND t.direction IN ('receive unknown', 'send unknown'))) = 0;

-- kept: others
CREATE VIEW tags_on_one_side ( -- tags that were sent on a communicator and never received there, or vice versa
    -- Only whole_communicators. A message that a wildcard received counts with its tag.
    communicator, -- name, or how it was created
    communicator_uid, -- its id, as in run_communicators
    direction, -- send: no rank received it; receive: no rank sent it
    tag, -- tag, or the first of a range, as in tags
    last_tag, messages, ranks, used_at, site -- as in tags
) AS
WITH whole (id) AS MATERIALIZED (
         SELECT id FROM whole_communicators),
     used AS MATERIALIZED (SELECT * FROM tags WHERE communicator_uid IN (SELECT id FROM whole)),
     one (id, direction, tag) AS MATERIALIZED (
         SELECT DISTINCT communicator_uid, direction, tag FROM used WHERE tag = last_tag),
     range (id, direction, tag, last) AS MATERIALIZED (
         SELECT DISTINCT communicator_uid, direction, tag, last_tag FROM used WHERE tag < last_tag)
SELECT u.communicator, u.communicator_uid, u.direction, u.tag, u.last_tag, u.messages, u.ranks, u.used_at, u.site
FROM used u LEFT JOIN one o ON o.id = u.communicator_uid AND o.tag = u.tag
                               AND o.direction = CASE u.direction WHEN 'send' THEN 'receive' ELSE 'send' END
WHERE o.id IS NULL
      AND NOT EXISTS (SELECT 1 FROM range r WHERE r.id = u.communicator_uid AND r.direction <> u.direction
                      AND r.tag <= u.last_tag AND r.last >= u.tag)
      AND (u.tag = u.last_tag
           OR NOT EXISTS (SELECT 1 FROM one r WHERE r.id = u.communicator_uid AND r.direction <> u.direction
                          AND r.tag BETWEEN u.tag AND u.last_tag));

CREATE VIEW tag_limits ( -- the largest tags that MPIs are known to allow, from values of MPI_TAG_UB
    -- Only values with a source; they depend on version, network and settings. No source is known for MVAPICH,
    -- MS-MPI and IBM Spectrum MPI.
    mpi, -- MPI and version
    largest_tag, -- value of MPI_TAG_UB
    source -- source of the figure
) AS
VALUES ('the standard''s guarantee', 32767, 'MPI 4.1, 9.1.2'),
       ('Intel MPI 2021', 524287, 'https://github.com/trilinos/Trilinos/issues/10139'),
       ('Intel MPI 2021.3 on InfiniBand', 1048575,
        'https://www.intel.com/content/www/us/en/developer/articles/technical/large-mpi-tags-with-the-intel-mpi.html'),
       ('Cray MPICH 7.4', 2097151, 'https://github.com/lanl/SNAP/issues/6'),
       ('Open MPI with UCX', 8388607, 'https://github.com/open-mpi/ompi: PML_UCX_TAG_BITS of ompi/mca/pml/ucx'),
       ('MPICH 4.0', 268435455, 'measured: Debian 12, ch4 with UCX'),
       ('Open MPI 4.1 without UCX', 2147483647, 'https://github.com/LLNL/SAMRAI/issues/206');

-- kept: others
CREATE VIEW tag_findings ( -- findings about tags, by communicator and call site
    kind, -- tag_too_large: above 32767, and the program never queried MPI_TAG_UB (one row, the largest);
    -- tag_not_received: sent, but never received there; tag_not_sent: received, but never sent
    ranks, -- as ranges: 0-3,7; tag_too_large: all ranks that use such tags
    communicator, -- name, or how it was created
    communicator_uid, -- its id, as in run_communicators
    tag, -- the smallest of these tags; tag_too_large: the largest tag of the run
    last_tag, -- the largest of them
    messages, -- number of messages on all ranks together
    site -- call site that sent, received or posted the receive; NULL: unknown
) AS
WITH lonely AS MATERIALIZED (
         SELECT *, dense_rank() OVER (ORDER BY communicator, communicator_uid, direction, site) AS number
         FROM tags_on_one_side),
     said (number, kind, communicator, id, tag, last, messages, site) AS MATERIALIZED (
         SELECT 0, 'tag_too_large', communicator, communicator_uid, tag, tag, messages, site
         FROM largest_tag WHERE too_large
         UNION ALL
         SELECT number, CASE direction WHEN 'send' THEN 'tag_not_received' ELSE 'tag_not_sent' END, communicator,
                communicator_uid, min(tag), max(last_tag), sum(messages), site
         FROM lonely GROUP BY number),
     user (number, rank) AS MATERIALIZED (
         SELECT DISTINCT 0, rank FROM tag WHERE largest_tag > 32767
         UNION
         SELECT l.number, t.rank
         FROM lonely l JOIN tag t ON t.direction = l.direction AND t.tag = l.tag AND t.last_tag = l.last_tag
                                     AND t.site = l.site
              JOIN object_keys k ON k.rank = t.rank AND k.object = t.communicator
         WHERE k.id = l.communicator_uid),
     range (number, first, last) AS (
         SELECT number, min(rank), max(rank)
         FROM (SELECT number, rank, rank - row_number() OVER (PARTITION BY number ORDER BY rank) AS shift FROM user)
         GROUP BY number, shift),
     ranges (number, ranks) AS MATERIALIZED (
         SELECT number, group_concat(first || CASE last - first WHEN 0 THEN '' WHEN 1 THEN ',' || last
                                                   ELSE '-' || last END, ',')
         FROM (SELECT * FROM range ORDER BY number, first) GROUP BY number)
SELECT s.kind, r.ranks, s.communicator, s.id, s.tag, s.last, s.messages, nullif(s.site, 0)
FROM said s LEFT JOIN ranges r ON r.number = s.number ORDER BY s.number;
