import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { DeadLetter } from '../../functions/ingestion/deadLetter.ts';
import { redrive } from '../../tools/operator/redrive.ts';
import { tenantAdministration } from '../../tools/operator/tenants.ts';
import { listAllRecords, someEvent } from '../support/client.ts';
import { SENDER, startProducerInstance } from './producerInstance.ts';

const run = promisify(execFile);
const everything = { dryRun: false, reason: undefined, singleTenant: undefined };

let at: Awaited<ReturnType<typeof startProducerInstance>>;

beforeAll(async () => {
  at = await startProducerInstance();
});
afterAll(() => at.stop());
beforeEach(() => at.forgetLetters());

const command = async (file: string, ...args: string[]) => {
  const { stdout } = await run(process.execPath, [resolve(file), ...args, '--data-dir', at.instance.dataDir]);
  return stdout;
};

it('returns events of an unknown sender once it is registered, under the instant they first came', async () => {
  const event = someEvent();
  const Key = { pk: { S: `sender#${SENDER}` } };
  await at.dynamodb.send(new DeleteItemCommand({ TableName: at.deployment.output('TableTenants'), Key }));
  await at.produce(event);
  await at.idle();
  const [letter] = await at.letters();

  const dry = await redrive(at.deployment, { ...everything, dryRun: true });
  const early = await redrive(at.deployment, everything);
  await command('bin/tenant.ts', 'sender', 'acme', SENDER);
  const late = await redrive(at.deployment, everything);
  await at.idle();

  expect(letter).toMatchObject({ reason: 'unknown_sender', tenant_id: null, sender: SENDER });
  expect([dry, early, late]).toEqual([
    { unknown_sender: { found: 1, returned: 0 } },
    { unknown_sender: { found: 1, returned: 0 } },
    { unknown_sender: { found: 1, returned: 1 } },
  ]);
  expect(await at.recordsOf(event['event_id'])).toMatchObject([
    { created_at: new Date(letter?.received_at ?? 0).toISOString() },
  ]);
  expect(await at.letters()).toEqual([]);
});

it('gives events of an unknown sender to the only tenant of a stack that serves one', async () => {
  const event = someEvent();
  const letter: DeadLetter = {
    reason: 'unknown_sender',
    detail: 'See the reason.',
    tenant_id: null,
    sender: 'AIDASTRANGER',
    received_at: Date.now(),
    residency: null,
    events: [event],
    digest: null,
  };
  await at.sendTo(at.deployment.output('QueueAcceptedDeadLetter'), letter);

  const account = await redrive(at.deployment, { ...everything, singleTenant: 'globex' });
  await at.idle();

  expect(account).toEqual({ unknown_sender: { found: 1, returned: 1 } });
  expect(await at.recordsOf(event['event_id'], at.globex)).toHaveLength(1);
});

it('returns what came for a tenant that was opened since, and only that when asked for its reason', async () => {
  const event = someEvent();
  const message = { tenant_id: 'initech', received_at: Date.now(), events: [event] };
  await at.sendTo(at.deployment.output('QueueAccepted'), message, 'nonsense');
  await at.idle();
  const administration = await tenantAdministration(at.deployment);
  const initech = await administration.open({
    tenantId: 'initech',
    name: 'Initech',
    plan: 'free',
    residency: [],
  });
  const key = await administration.issueKey(initech, 'reader');

  const account = await redrive(at.deployment, { ...everything, reason: 'unknown_tenant' });
  await at.idle();

  expect(account).toEqual({
    unknown_tenant: { found: 1, returned: 1 },
    malformed_message: { found: 1, returned: 0 },
  });
  expect(await listAllRecords(at.instance.baseUrl, key)).toMatchObject([
    { event_id: event['event_id'], tenant_id: 'initech' },
  ]);
  expect((await at.letters()).map(({ reason }) => reason)).toEqual(['malformed_message']);
});

it('takes what producers’ retries left over for events of their sender, and ends although one fails again', async () => {
  const [event, forged] = [someEvent(), someEvent()];
  const message = { tenant_id: 'globex', received_at: 1, events: [forged] };
  await at.sendTo(at.deployment.output('QueueIngestionDeadLetter'), event, message);

  const account = await redrive(at.deployment, everything);
  await at.idle();

  expect(account).toEqual({ retries_exhausted: { found: 2, returned: 2 } });
  expect(await at.recordsOf(event['event_id'])).toHaveLength(1);
  expect(await at.recordsOf(forged['event_id'], at.globex)).toEqual([]);
  expect(await at.letters()).toMatchObject([{ reason: 'invalid_event', tenant_id: 'acme' }]);
});

it('counts on the command line without moving anything, then returns, then finds nothing', async () => {
  const event = someEvent();
  const message = { tenant_id: 'acme', received_at: Date.now(), events: [event] };
  await at.sendTo(at.deployment.output('QueueAcceptedDeadLetter'), message);

  const outputs = [
    await command('bin/redrive.ts', '--dry-run'),
    await command('bin/redrive.ts'),
    await command('bin/redrive.ts'),
  ];
  await at.idle();

  const row = (returned: number) => new RegExp(`retries_exhausted[^\\d]+1[^\\d]+${returned}`);
  expect(outputs[0]).toMatch(row(0));
  expect(outputs[1]).toMatch(row(1));
  expect(outputs[2]).toContain('Nothing was set aside.');
  expect(await at.recordsOf(event['event_id'])).toHaveLength(1);
});
