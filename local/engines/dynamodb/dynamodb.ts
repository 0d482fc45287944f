import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLogFile } from '../../logFile.ts';
import { admission } from '../admission.ts';
import { type AwsCredentials, LOCAL_CREDENTIALS } from '../awsCredentials.ts';
import type { DataDirectory } from '../dataDirectory.ts';
import type { Engine } from '../engine.ts';
import { freePort } from '../freePort.ts';
import { openFrontDoor } from '../frontDoor.ts';
import { killOrphan } from '../orphanProcess.ts';
import { indexStreams } from './streamIndexes.ts';

const SUPERVISOR = fileURLToPath(new URL('../supervisor.sh', import.meta.url));
const START_ATTEMPTS = 3;

/**
 * An address for the engine behind its front door. The engine itself admits everybody, pages of a browser too, and has no option
 * for it. On Linux each address of 127.0.0.0/8 is this machine: a page cannot try 2^39 addresses and ports. Elsewhere only
 * 127.0.0.1 is.
 */
const hiddenHost = (): string =>
  process.platform === 'linux'
    ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`
    : '127.0.0.1';

interface DynamoDbEngine extends Engine {
  /** Behind the front door, which costs a quarter of each call. For this process only. */
  readonly hiddenUrl: string;
}

/**
 * Starts the DynamoDB engine with its own data file, behind a front door for these credentials. An acknowledged write is in the write-ahead log of that file.
 * It survives a kill of the process. Only a power failure can lose the last writes. Throws if the engine has no build
 * for this machine, or does not start.
 */
export async function startDynamoDb(
  data: DataDirectory,
  log: (line: string) => void,
  credentials: AwsCredentials = LOCAL_CREDENTIALS,
): Promise<DynamoDbEngine> {
  const engine = await startOpenDynamoDb(data, log);
  const door = await openFrontDoor(engine, admission(credentials));
  return {
    url: door.url,
    hiddenUrl: `http://${engine.host}:${engine.port}`,
    async stop() {
      await door.stop();
      await engine.stop();
    },
  };
}

interface OpenEngine {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts the engine alone, which admits everybody who finds its address. */
export async function startOpenDynamoDb(
  data: DataDirectory,
  log: (line: string) => void,
): Promise<OpenEngine> {
  const program = engineProgram();
  const dataFile = data.join('dynamodb.db');
  const pidFile = data.join('dynamodb.pid');
  await killOrphan(pidFile, dataFile);
  let lastError: unknown;
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    const host = hiddenHost();
    const port = await freePort(host);
    const command = [pidFile, program, '--host', host, '--port', String(port), '--db-path', dataFile];
    try {
      const { stop } = await launch(command, data.join('logs', 'dynamodb.log'), log);
      await indexOrStop(dataFile, { stop });
      return { host, port, stop };
    } catch (error) {
      lastError = error;
    }
  }
  throw new Error(
    `The DynamoDB engine did not start after ${START_ATTEMPTS} attempts. See ${data.join('logs', 'dynamodb.log')}.`,
    { cause: lastError },
  );
}

/**
 * The path of the engine's binary for this platform. Throws if the platform package is not installed. The message names
 * the alternative.
 */
export function engineProgram(platform: string = process.platform, arch: string = process.arch): string {
  const name = `@dynoxide/${platform}-${arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch (error) {
    throw new Error(
      `The embedded DynamoDB is not available on this machine: ${name} is not installed. ` +
        'Install it with npm, or set AWS_ENDPOINT_URL_DYNAMODB to another DynamoDB endpoint.',
      { cause: error },
    );
  }
}

interface Launched {
  stop(): Promise<void>;
}

/** Creates the stream indexes. Stops the engine if that fails, so that no unusable engine keeps running. */
async function indexOrStop(dataFile: string, engine: Launched): Promise<void> {
  try {
    indexStreams(dataFile);
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

/** Runs the supervisor. It is detached, so Ctrl-C reaches only the runtime and handlers can finish their writes. */
function launch(command: string[], logFile: string, log: (line: string) => void): Promise<Launched> {
  const supervisor = spawn('sh', [SUPERVISOR, ...command], {
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const output = openLogFile(logFile);
  supervisor.stderr.pipe(output);
  supervisor.stdin.on('error', () => {});
  const exited = new Promise<number | null>((resolve) => supervisor.once('exit', resolve));
  let stopping = false;
  const stop = async (): Promise<void> => {
    stopping = true;
    supervisor.stdin.end();
    await exited;
  };
  return new Promise((resolve, reject) => {
    let started = false;
    supervisor.once('error', reject);
    supervisor.stderr.on('data', (chunk: Buffer) => {
      if (started || !chunk.toString().includes('listening on')) return;
      started = true;
      resolve({ stop });
    });
    exited.then((code) => {
      if (!started)
        reject(
          new Error(`The DynamoDB engine exited with code ${code} before it was ready. See ${logFile}.`),
        );
      else if (!stopping)
        log(
          `The DynamoDB engine exited unexpectedly with code ${code}. See ${logFile}, then restart the service.`,
        );
    });
  });
}
