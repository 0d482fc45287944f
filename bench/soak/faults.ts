import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Draws } from '../../functions/tenants/sandbox/sample/seededRandom.ts';
import { type StartedService, startService } from '../local/startedService.ts';
import type { Receiver } from '../webhooks/webhookReceiver.ts';

export const faultNames = ['kill', 'stop', 'clock', 'throttle', 'receiver'] as const;
export type FaultName = (typeof faultNames)[number];

/** Tables on the way of an event to its total, with the share of calls that are refused. */
const THROTTLED = { ledger: 0.5, claims: 0.3, traces: 0.3, rollups: 0.3, deliveries: 0.4, idempotency: 0.3 };
/** Longer than the lease of a queue message or an endpoint. */
const STOPPED_MS = 25_000;
const THROTTLED_MS = 20_000;
const SLOW_MS = 20_000;
/** Steps of the clock, one after another. The second goes back. */
const CLOCK_OFFSETS_SECONDS = [3_600, 0];

/** A local service that is disturbed while it runs. */
export interface DisturbedService {
  readonly current: () => StartedService;
  readonly disturb: (fault: FaultName) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const startDisturbed = async (
  { dataDir, args, receiver }: { dataDir: string; args: readonly string[]; receiver: Receiver },
  draws: Draws,
  log: (line: string) => void,
): Promise<DisturbedService> => {
  let offsets = 0;
  const start = (offsetSeconds: number): Promise<StartedService> =>
    startService(dataDir, [...args, '--clock-offset', String(offsetSeconds)], { ownGroup: true });
  let offset = 0;
  let service = await start(offset);
  const restart = async (): Promise<void> => {
    await service.kill();
    service = await start(offset);
  };
  const faults: Readonly<Record<FaultName, () => Promise<void>>> = {
    kill: restart,
    stop: async () => {
      service.signal('SIGSTOP');
      await sleep(STOPPED_MS);
      service.signal('SIGCONT');
    },
    clock: async () => {
      offset = CLOCK_OFFSETS_SECONDS[offsets % CLOCK_OFFSETS_SECONDS.length] ?? 0;
      offsets += 1;
      await restart();
    },
    throttle: async () => {
      const file = join(dataDir, 'throttle.json');
      writeFileSync(file, JSON.stringify(THROTTLED));
      await sleep(THROTTLED_MS);
      rmSync(file, { force: true });
    },
    receiver: async () => {
      receiver.hanging.add('/soak');
      await sleep(SLOW_MS * draws.uniform());
      receiver.hanging.delete('/soak');
    },
  };
  return {
    current: () => service,
    disturb: async (fault) => {
      log(fault);
      await faults[fault]();
    },
    stop: async () => {
      await service.stop();
    },
  };
};
