import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCAL_CREDENTIALS } from '../../local/engines/awsCredentials.ts';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { type Fixture, logicalId, synthesise } from './stackFixture.ts';

const CLIENT = {
  region: 'us-east-1',
  credentials: LOCAL_CREDENTIALS,
  maxAttempts: 1,
};

let fixture: Fixture;

beforeAll(() => {
  fixture = synthesise();
});

afterAll(() => {
  fixture.remove();
});

const start = (dataDir: string): Promise<Runtime> =>
  startRuntime({
    template: fixture.template,
    assemblyDir: fixture.assemblyDir,
    dataDir,
    port: 0,
    log: () => {},
  });

type Running = Pick<Runtime, 'endpoints' | 'credentials' | 'queues' | 'tables'>;

/** Clients for one running instance. They use the dead-letter queue, because nothing consumes it. */
function connect({ endpoints, credentials, queues, tables }: Running) {
  const dynamodb = new DynamoDBClient({ ...CLIENT, credentials, endpoint: endpoints.dynamodb });
  const sqs = new SQSClient({ ...CLIENT, credentials, endpoint: endpoints.sqs });
  const TableName = tables[logicalId(fixture.template, 'AWS::DynamoDB::GlobalTable', 'Table')] ?? '';
  const QueueUrl = queues[logicalId(fixture.template, 'AWS::SQS::Queue', 'DeadLetters')] ?? '';
  return {
    put: (pk: string) => dynamodb.send(new PutItemCommand({ TableName, Item: { pk: { S: pk } } })),
    has: async (pk: string) =>
      (await dynamodb.send(new GetItemCommand({ TableName, Key: { pk: { S: pk } } }))).Item !== undefined,
    send: (MessageBody: string) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody })),
    waiting: async () => {
      const names = { AttributeNames: ['ApproximateNumberOfMessages' as const] };
      const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, ...names }));
      return Number(Attributes?.ApproximateNumberOfMessages);
    },
    close: () => {
      dynamodb.destroy();
      sqs.destroy();
    },
  };
}

async function publicKey(runtime: Runtime): Promise<Buffer> {
  const kms = new KMSClient({ ...CLIENT, endpoint: runtime.endpoints.kms });
  const KeyId = runtime.resources.physicalId(logicalId(fixture.template, 'AWS::KMS::Key', 'Signing'));
  const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId }));
  kms.destroy();
  return Buffer.from(PublicKey ?? []);
}

const engineProcess = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'dynamodb.pid'), 'utf8'));
const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`) && !isZombie(pid);
const isZombie = (pid: number): boolean => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

describe('a restart', () => {
  test('keeps tables, queues, messages and keys', async () => {
    const dataDir = join(fixture.directory, 'restarted');
    const first = await start(dataDir);
    const before = connect(first);
    await before.put('kept');
    await before.send('kept');
    const key = await publicKey(first);
    before.close();
    await first.stop();

    const second = await start(dataDir);
    const after = connect(second);
    expect(second.tables).toEqual(first.tables);
    expect(await after.has('kept')).toBe(true);
    expect(await after.waiting()).toBe(1);
    expect(await publicKey(second)).toEqual(key);
    after.close();
    await second.stop();
  });

  test('leaves no engine process after a stop', async () => {
    const dataDir = join(fixture.directory, 'stopped');
    const runtime = await start(dataDir);
    const pid = engineProcess(dataDir);
    const before = isAlive(pid);
    await runtime.stop();
    expect([before, isAlive(pid)]).toEqual([true, false]);
  });
});

/** Starts the fixture in its own process group and waits until it serves. */
async function startChild(dataDir: string): Promise<{ child: ChildProcess; running: Running }> {
  const program = fileURLToPath(new URL('./crash.child.ts', import.meta.url));
  const child = spawn(process.execPath, [program, fixture.assemblyDir, dataDir], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) =>
    child.stdout?.once('data', (chunk) => resolve(String(chunk))),
  );
  return { child, running: JSON.parse(line) };
}

/** Writes to the table and the queue until the engines are killed. Returns the acknowledged writes. */
async function writeUntilKilled(clients: ReturnType<typeof connect>, kill: () => void) {
  const written: string[] = [];
  const sent: string[] = [];
  const writeUntilError = async (
    write: (name: string) => Promise<unknown>,
    done: string[],
    writer: number,
  ): Promise<void> => {
    for (let index = 0; ; index += 1) {
      const name = `${writer}-${index}`;
      try {
        await write(name);
      } catch {
        return;
      }
      done.push(name);
      if (written.length + sent.length === 400) kill();
    }
  };
  await Promise.all(
    [1, 2, 3].flatMap((n) => [
      writeUntilError(clients.put, written, n),
      writeUntilError(clients.send, sent, n),
    ]),
  );
  return { written, sent };
}

describe('a kill of the process group', () => {
  test('loses no acknowledged write or message, and leaves no engine process', async () => {
    const dataDir = join(fixture.directory, 'killed');
    const { child, running } = await startChild(dataDir);
    const pid = engineProcess(dataDir);
    const clients = connect(running);
    const { written, sent } = await writeUntilKilled(clients, () =>
      process.kill(-(child.pid ?? 0), 'SIGKILL'),
    );
    clients.close();
    await expect.poll(() => isAlive(pid)).toBe(false);

    const again = await start(dataDir);
    const after = connect(again);
    const found = await Promise.all(written.map((name) => after.has(name)));
    expect(written.length).toBeGreaterThan(0);
    expect(found.filter((exists) => !exists)).toEqual([]);
    // The kill can interrupt an acknowledgement, so there may be more stored messages.
    expect(sent.length).toBeGreaterThan(0);
    expect(await after.waiting()).toBeGreaterThanOrEqual(sent.length);
    after.close();
    await again.stop();
  });

  test('leaves an engine process when its guards are killed too, and the next start ends it', async () => {
    const dataDir = join(fixture.directory, 'orphaned');
    const { child, running } = await startChild(dataDir);
    const pid = engineProcess(dataDir);
    const clients = connect(running);
    await clients.put('kept');
    clients.close();
    for (const guard of guardsOf(pid)) process.kill(guard, 'SIGKILL');
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await expect.poll(() => isAlive(child.pid ?? 0)).toBe(false);
    const orphaned = isAlive(pid);

    const again = await start(dataDir);
    const after = connect(again);
    expect([orphaned, isAlive(pid), await after.has('kept')]).toEqual([true, false, true]);
    after.close();
    await again.stop();
  });
});

/** The processes that end the engine: its parent, and the other children of that. */
function guardsOf(engine: number): number[] {
  const parent = parentOf(engine);
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
  return [...children.filter((pid) => pid !== engine), parent];
}

/** The parent process id from /proc/PID/stat. It is the second field after the process name, which ends at the last parenthesis. */
function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
