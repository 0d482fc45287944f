import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Draws } from '../../functions/tenants/sandbox/sample/seededRandom.ts';
import { type StartedService, startService } from '../local/startedService.ts';
import type { Receiver } from '../webhooks/webhookReceiver.ts';

export const faultNames = ['kill', 'stop', 'clock', 'throttle', 'receiver', 'disk'] as const;
export type FaultName = (typeof faultNames)[number];

/** Tables on the way of an event to its total, with the share of calls that are refused. */
const THROTTLED = { ledger: 0.5, claims: 0.3, traces: 0.3, rollups: 0.3, deliveries: 0.4, idempotency: 0.3 };
/** Longer than the lease of a queue message or an endpoint. */
const STOPPED_MS = 25_000;
const THROTTLED_MS = 20_000;
const SLOW_MS = 20_000;
const FULL_MS = 10_000;
/** Of the file system of a run whose disk becomes full. It is in memory: 18 MiB hold 1,000 events, so two hours at the default rate fit. */
const DISK_MIB = 1_536;
/**
 * How far the clock of the service is ahead. It is set to another of these each time, so most steps go back sooner or later, by
 * less and by more than a lease, an hour and a day.
 */
const CLOCK_OFFSETS_SECONDS = [0, 20, 600, 3_600, 90_000] as const;

const mount = (folder: string, ...options: readonly string[]): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options.join(), 'none', folder]).status === 0;

/** Gives a folder a file system of its own, whose size can be set. False if this user may not. */
export const mountDisk = (folder: string): boolean => mount(folder, `size=${DISK_MIB}m`, 'mode=700');
export const unmountDisk = (folder: string): void => void spawnSync('umount', ['-l', folder]);

const usedBytes = (folder: string): number => {
  const { blocks, bfree, bsize } = statfsSync(folder);
  return (blocks - bfree) * bsize;
};

/** A local service that is disturbed while it runs. */
export interface DisturbedService {
  readonly current: () => StartedService;
  readonly disturb: (fault: FaultName) => Promise<void>;
  /** How far its clock is ahead of ours, in seconds. */
  readonly ahead: () => number;
  readonly stop: () => Promise<void>;
}

export const startDisturbed = async (
  { dataDir, args, receiver }: { dataDir: string; args: readonly string[]; receiver: Receiver },
  draws: Draws,
  log: (line: string) => void,
): Promise<DisturbedService> => {
  const start = (offsetSeconds: number): Promise<StartedService> =>
    startService(dataDir, [...args, '--clock-offset', String(offsetSeconds)], { ownGroup: true });
  let offset: number = CLOCK_OFFSETS_SECONDS[0];
  let service = await start(offset);
  let fault = Promise.resolve();
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
      const before = offset;
      while (offset === before) offset = draws.pick(CLOCK_OFFSETS_SECONDS);
      log(`the clock is ${offset - before} seconds later`);
      await restart();
    },
    throttle: async () => {
      const file = join(dataDir, 'throttle.json');
      writeFileSync(file, JSON.stringify(THROTTLED));
      await sleep(THROTTLED_MS);
      rmSync(file, { force: true });
    },
    receiver: async () => {
      const failing = draws.chance(0.5) ? receiver.hanging : receiver.refusing;
      failing.add('/soak');
      await sleep(SLOW_MS * draws.uniform());
      failing.delete('/soak');
    },
    disk: async () => {
      mount(dataDir, 'remount', `size=${usedBytes(dataDir)}`);
      await sleep(FULL_MS);
      mount(dataDir, 'remount', `size=${DISK_MIB}m`);
    },
  };
  return {
    current: () => service,
    disturb: (name) => {
      log(name);
      fault = faults[name]();
      return fault;
    },
    ahead: () => offset,
    stop: async () => {
      // It may be starting the service.
      await fault.catch(() => undefined);
      await service.stop();
    },
  };
};
