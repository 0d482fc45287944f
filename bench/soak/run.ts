import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Draws, seededDraws } from '../../functions/tenants/sandbox/sample/seededRandom.ts';
import { MINUTE_MS } from '../../schemas/durations.ts';
import { call } from '../../test/support/client.ts';
import { readCredentials } from '../../tools/client/connection.ts';
import { UsageError } from '../../tools/commandLine.ts';
import { type Receiver, startReceiver } from '../webhooks/webhookReceiver.ts';
import type { Target } from './client.ts';
import { type DisturbedService, mountDisk, startDisturbed, unmountDisk } from './faults.ts';
import { openJournal } from './journal.ts';
import { readSoakOptions, type SoakOptions, USAGE } from './options.ts';
import { checkInvariants, runLoad, waitUntilDelivered, waitUntilFollowed } from './soak.ts';

const PATH = '/soak';
const POLL_MS = 100;
/** Time between two faults. */
const CALM_MS = 15_000;
const MIB = 1024 ** 2;

const log = (line: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);

const localTarget = (dataDir: string, receiver: string, now: Target['now']): Target => {
  const read = () => {
    const credentials = readCredentials(dataDir);
    if (credentials === undefined) throw new Error('the service has written no credentials');
    return credentials;
  };
  return { baseUrl: () => read().base_url, key: () => read().tenants[0].api_keys.admin, receiver, now };
};

const subscribe = async (target: Target, receiver: Receiver): Promise<void> => {
  const body = { url: receiver.urlOf(PATH), events: ['attribution.materialized'] };
  const { status, text } = await call(target.baseUrl(), '/api/v1/webhooks', { key: target.key(), body });
  if (status !== 201) throw new Error(`the endpoint was refused: ${text}`);
  // It answers its challenge.
  while (receiver.deliveries.length === 0) await sleep(POLL_MS);
};

/** Disturbs the service until the end, in rounds of all faults, each in an order that the seed decides. */
const disturbUntil = async (
  service: DisturbedService,
  { faults, seed, end }: Pick<SoakOptions, 'faults' | 'seed'> & { readonly end: number },
): Promise<void> => {
  const draws = seededDraws(`${seed} faults`);
  while (faults.length > 0) {
    const drawn = faults.map((fault) => ({ fault, place: draws.uniform() }));
    for (const { fault } of drawn.sort((one, other) => one.place - other.place)) {
      await sleep(CALM_MS);
      if (Date.now() > end) return;
      await service.disturb(fault);
    }
  }
};

/** What functions have logged. A file that is too long is cleared at a start. */
const logsIn = (dataDir: string): string[] => {
  const folder = join(dataDir, 'logs');
  return readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
};

const report = (name: string, value: string): void => console.log(`${name.padEnd(70)} ${value}`);

const checkAll = async (outcome: Parameters<typeof checkInvariants>[0]): Promise<boolean> => {
  const found = await checkInvariants(outcome);
  for (const [name, faults] of Object.entries(found)) {
    report(name, faults.length === 0 ? 'holds' : `BROKEN, ${faults.length} times`);
    for (const fault of faults.slice(0, 10)) console.log(`  ${fault}`);
  }
  return Object.values(found).every((faults) => faults.length === 0);
};

const soakDeployed = async (
  options: SoakOptions,
  deployed: NonNullable<SoakOptions['deployed']>,
): Promise<boolean> => {
  const journal = openJournal(options.journal ?? join(mkdtempSync(join(tmpdir(), 'soak-')), 'journal.jsonl'));
  const receiver = 'https://example.com';
  const target = { baseUrl: () => deployed.baseUrl, key: () => deployed.apiKey, receiver, now: Date.now };
  const end = Date.now() + options.minutes * MINUTE_MS;
  await runLoad({ target, journal, draws: seededDraws(options.seed), rate: options.rate, end });
  await waitUntilFollowed({ target, journal });
  return checkAll({ target, journal, deliveries: null, logs: [] });
};

/** The load and the faults on a started service, and the comparison of both sides. */
const soakStarted = async (
  service: DisturbedService,
  receiver: Receiver,
  options: SoakOptions,
  draws: Draws,
  { dataDir, journalFile }: { readonly dataDir: string; readonly journalFile: string },
): Promise<boolean> => {
  const target = localTarget(dataDir, receiver.urlOf(''), () => Date.now() + service.ahead() * 1_000);
  const journal = openJournal(journalFile);
  await subscribe(target, receiver);
  const before = bytesIn(dataDir);
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, service.current().usage().mebibytes);
  }, 1_000);
  try {
    const end = Date.now() + options.minutes * MINUTE_MS;
    log(`seed ${options.seed}, data in ${dataDir}, journal in ${journalFile}`);
    const load = runLoad({ target, journal, draws, rate: options.rate, end });
    await Promise.all([load, disturbUntil(service, { ...options, end })]);
    log(
      `${journal.accepted.size} events accepted, ${journal.changes.length} changes, ${(await load).retries()} retries`,
    );
    await waitUntilFollowed({ target, journal });
    const deliveries = () => receiver.deliveries.filter(({ path }) => path === PATH);
    await waitUntilDelivered(target, deliveries);
    const isSound = await checkAll({ target, journal, deliveries: deliveries(), logs: logsIn(dataDir) });
    const grown = (bytesIn(dataDir) - before) / MIB;
    report('memory of the service at most', `${Math.round(memory)} MiB`);
    report('disk for 1,000 accepted events', `${((grown / journal.accepted.size) * 1_000).toFixed(1)} MiB`);
    return isSound;
  } finally {
    clearInterval(watch);
  }
};

const soakLocal = async (options: SoakOptions): Promise<boolean> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'soak-'));
  const hasDisk = options.faults.includes('disk') && mountDisk(dataDir);
  const faults = options.faults.filter((fault) => fault !== 'disk' || hasDisk);
  if (faults.length < options.faults.length) log('The disk is never full: only root may mount one.');
  const receiver = await startReceiver();
  const ca = join(dataDir, 'receiver.pem');
  writeFileSync(ca, receiver.ca);
  const args = [
    '--no-sample',
    '--rate-limit-scale',
    '100',
    '--allow-webhook-host',
    receiver.host,
    '--ca',
    ca,
  ];
  const draws = seededDraws(options.seed);
  const service = await startDisturbed({ dataDir, args, receiver }, draws, (fault) => log(`fault: ${fault}`));
  // Beside the data: their disk becomes full.
  const journalFile = options.journal ?? `${dataDir}.jsonl`;
  let isSound = false;
  try {
    const files = { dataDir, journalFile };
    isSound = await soakStarted(service, receiver, { ...options, faults }, draws, files);
  } finally {
    await service.stop();
    if (!isSound) log(`The data is kept in ${dataDir}. Repeat the run with --seed ${options.seed}.`);
  }
  if (isSound) {
    if (hasDisk) unmountDisk(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
    if (options.journal === undefined) rmSync(journalFile);
  }
  return isSound;
};

try {
  const options = readSoakOptions(process.argv.slice(2), Date.now());
  if (options === 'help') process.stdout.write(USAGE);
  else {
    const { deployed } = options;
    process.exitCode = (await (deployed === null ? soakLocal(options) : soakDeployed(options, deployed)))
      ? 0
      : 1;
  }
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
// What an error left running, such as the receiver and the load, would go on.
process.exit();
