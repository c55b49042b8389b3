-- Throughput: the rates of gateways, and what each worker sees of its own.

-- When the next message may go to the gateway, over all processes. Machine clock.
CREATE UNLOGGED TABLE gateway_pace (
  gateway text PRIMARY KEY,
  next_at timestamptz NOT NULL
);

-- What the work sends through (src/work/flags.ts), for when it is queued again.
ALTER TABLE dead_letter ADD COLUMN flags text[] NOT NULL DEFAULT '{}';

-- Of each gateway: what is under way and waits there, and whether it works, as the worker last saw it.
ALTER TABLE worker ADD COLUMN gateways jsonb NOT NULL DEFAULT '[]';
