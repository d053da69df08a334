-- Since version 2: the failed attempts of repeated runs.
CREATE TABLE attempt (
    id             INTEGER PRIMARY KEY,
    run            INTEGER NOT NULL REFERENCES run (id),
    number         INTEGER NOT NULL,
    state          TEXT NOT NULL,
    environment    INTEGER REFERENCES environment (id),
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

CREATE INDEX attempt_of_run ON attempt (run, number);

PRAGMA user_version = 2;
