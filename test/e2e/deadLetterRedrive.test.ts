import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { DeadLetter } from '../../functions/ingest/events/deadLetter.ts';
import { redrive } from '../../tools/operator/redrive.ts';
import { tenantAdministration } from '../../tools/operator/tenants.ts';
import { aKey } from '../attribution/engine/events.ts';
import { listAllRecords, someEvent } from '../support/client.ts';
import { SENDER, startProducerInstance } from './producerInstance.ts';

const run = promisify(execFile);
const everything = { dryRun: false, reason: undefined, singleTenant: undefined };

const producer = await startProducerInstance();
afterAll(() => producer.stop());
beforeEach(() => producer.purgeDeadLetters());

const command = async (file: string, ...args: string[]) => {
  const { stdout } = await run(process.execPath, [
    resolve(file),
    ...args,
    '--data-dir',
    producer.instance.dataDir,
  ]);
  return stdout;
};

it('redrives events of a sender after its registration, with their original receive time', async () => {
  const event = someEvent();
  const Key = { pk: { S: `sender#${SENDER}` } };
  await producer.dynamodb.send(
    new DeleteItemCommand({ TableName: producer.deployment.output('TableTenants'), Key }),
  );
  await producer.produce(event);
  await producer.idle();
  const [letter] = await producer.deadLetters();

  const dry = await redrive(producer.deployment, { ...everything, dryRun: true });
  const early = await redrive(producer.deployment, everything);
  await command('bin/tenant.ts', 'sender', 'acme', SENDER);
  const late = await redrive(producer.deployment, everything);
  await producer.idle();

  expect(letter).toMatchObject({ reason: 'unknown_sender', tenant_id: null, sender: SENDER });
  expect([dry, early, late]).toEqual([
    { unknown_sender: { found: 1, returned: 0 } },
    { unknown_sender: { found: 1, returned: 0 } },
    { unknown_sender: { found: 1, returned: 1 } },
  ]);
  expect(await producer.recordsOf(event['event_id'])).toMatchObject([
    { created_at: new Date(letter?.received_at ?? 0).toISOString() },
  ]);
  expect(await producer.deadLetters()).toEqual([]);
});

it('redrives events of an unknown sender to the tenant of a single-tenant stack', async () => {
  const event = someEvent();
  const letter: DeadLetter = {
    reason: 'unknown_sender',
    detail: 'See the reason.',
    tenant_id: null,
    sender: 'AIDASTRANGER',
    stated_by: { kind: 'sender', id: 'AIDASTRANGER' },
    received_at: Date.now(),
    residency: null,
    events: [event],
    digest: null,
  };
  await producer.sendTo(producer.deployment.output('QueueAcceptedDeadLetter'), letter);

  const account = await redrive(producer.deployment, { ...everything, singleTenant: 'globex' });
  await producer.idle();

  expect(account).toEqual({ unknown_sender: { found: 1, returned: 1 } });
  expect(await producer.recordsOf(event['event_id'], producer.globex)).toHaveLength(1);
});

it('redrives only events of unknown tenants when that reason is selected', async () => {
  const event = someEvent();
  const message = { tenant_id: 'initech', stated_by: aKey, received_at: Date.now(), events: [event] };
  await producer.sendTo(producer.deployment.output('QueueAccepted'), message, 'nonsense');
  await producer.idle();
  const administration = await tenantAdministration(producer.deployment);
  const initech = await administration.open({
    tenantId: 'initech',
    name: 'Initech',
    plan: 'free',
    residency: [],
  });
  const key = await administration.issueKey(initech, 'reader');

  const account = await redrive(producer.deployment, { ...everything, reason: 'unknown_tenant' });
  await producer.idle();

  expect(account).toEqual({
    unknown_tenant: { found: 1, returned: 1 },
    malformed_message: { found: 1, returned: 0 },
  });
  expect(await listAllRecords(producer.instance.baseUrl, key)).toMatchObject([
    { event_id: event['event_id'], tenant_id: 'initech' },
  ]);
  expect((await producer.deadLetters()).map(({ reason }) => reason)).toEqual(['malformed_message']);
});

it('redrives messages with exhausted retries to the tenant of their sender, and terminates when one fails again', async () => {
  const [event, forged] = [someEvent(), someEvent()];
  const invalid = { event_id: forged['event_id'] };
  const message = { tenant_id: 'globex', stated_by: aKey, received_at: 1, events: [forged, invalid] };
  await producer.sendTo(producer.deployment.output('QueueIngestionDeadLetter'), event, message);

  const account = await redrive(producer.deployment, everything);
  await producer.idle();

  expect(account).toEqual({ retries_exhausted: { found: 2, returned: 2 } });
  expect(await producer.recordsOf(event['event_id'])).toHaveLength(1);
  expect(await producer.recordsOf(forged['event_id'])).toHaveLength(1);
  expect(await producer.recordsOf(forged['event_id'], producer.globex)).toEqual([]);
  expect(await producer.deadLetters()).toMatchObject([{ reason: 'invalid_event', tenant_id: 'acme' }]);
});

it('counts with --dry-run, then redrives, then finds nothing on the command line', async () => {
  const event = someEvent();
  const message = { tenant_id: 'acme', stated_by: aKey, received_at: Date.now(), events: [event] };
  await producer.sendTo(producer.deployment.output('QueueAcceptedDeadLetter'), message);

  const outputs = [
    await command('bin/redrive.ts', '--dry-run'),
    await command('bin/redrive.ts'),
    await command('bin/redrive.ts'),
  ];
  await producer.idle();

  const row = (returned: number) => new RegExp(`retries_exhausted[^\\d]+1[^\\d]+${returned}`);
  expect(outputs[0]).toMatch(row(0));
  expect(outputs[1]).toMatch(row(1));
  expect(outputs[2]).toContain('The dead-letter queues are empty.');
  expect(await producer.recordsOf(event['event_id'])).toHaveLength(1);
});
