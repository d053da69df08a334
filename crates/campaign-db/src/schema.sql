-- The tables of a campaign database: docs/formats/book.md describes them.
CREATE TABLE campaign (
    id      INTEGER PRIMARY KEY,
    key     TEXT NOT NULL UNIQUE,
    name    TEXT NOT NULL,
    plan    TEXT NOT NULL,
    folder  TEXT NOT NULL,
    seed    INTEGER NOT NULL,
    created REAL NOT NULL,
    tool    TEXT NOT NULL
);

CREATE TABLE point (
    id         INTEGER PRIMARY KEY,
    processors INTEGER NOT NULL,
    parameters TEXT NOT NULL,
    UNIQUE (processors, parameters)
);

CREATE TABLE parameter (
    point INTEGER NOT NULL REFERENCES point (id),
    name  TEXT NOT NULL,
    value REAL NOT NULL,
    PRIMARY KEY (point, name)
) WITHOUT ROWID;

CREATE TABLE environment (
    id          INTEGER PRIMARY KEY,
    description TEXT NOT NULL UNIQUE
);

CREATE TABLE job (
    id         INTEGER PRIMARY KEY,
    campaign   INTEGER NOT NULL REFERENCES campaign (id),
    system     TEXT NOT NULL,
    number     TEXT NOT NULL,
    folder     TEXT NOT NULL,
    processors INTEGER NOT NULL,
    submitted  REAL NOT NULL
);

CREATE TABLE run (
    id             INTEGER PRIMARY KEY,
    campaign       INTEGER NOT NULL REFERENCES campaign (id),
    position       INTEGER NOT NULL,
    round          INTEGER NOT NULL,
    repetition     INTEGER NOT NULL,
    point          INTEGER NOT NULL REFERENCES point (id),
    seed           INTEGER NOT NULL,
    state          TEXT NOT NULL DEFAULT 'planned' CHECK (state IN
                   ('planned', 'submitted', 'running', 'done', 'failed', 'timeout', 'skipped')),
    attempts       INTEGER NOT NULL DEFAULT 0,
    environment    INTEGER REFERENCES environment (id),
    job            INTEGER REFERENCES job (id),
    host           TEXT,
    binding        TEXT,
    started        REAL,
    seconds        REAL,
    exit           INTEGER,
    signal         INTEGER,
    trace          TEXT,
    bytes          INTEGER,
    oversubscribed INTEGER NOT NULL DEFAULT 0,
    load           REAL,
    clock          REAL,
    message        TEXT
);

CREATE INDEX run_in_order ON run (campaign, state, position);
CREATE INDEX run_of_point ON run (point);
