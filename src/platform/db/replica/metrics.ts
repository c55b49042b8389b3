/** Prometheus metrics of the replica, as this process sees it. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { type Replica, readOutcomes } from './replica.ts';

/** Registers them; they are read at each scrape. */
export function measureReplica({ seen, counts }: Replica, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'pitlane_replica_used',
    help: 'Whether reads that may be old go to the replica: 1 yes, 0 no, the primary answers them',
    registers,
    collect() {
      this.set(seen().state === 'used' ? 1 : 0);
    },
  });
  new Gauge({
    name: 'pitlane_replica_age_seconds',
    help: 'How old the newest data of the replica may be, within the second between two looks',
    registers,
    collect() {
      this.set((seen().ageMs ?? Number.NaN) / 1_000);
    },
  });
  new Counter({
    name: 'pitlane_replica_reads_total',
    help: 'Reads that may be old, by outcome: replica; on the primary since it was unused, busy, tooOld, or failed',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const outcome of readOutcomes) this.inc({ outcome }, counts[outcome]);
    },
  });
}
