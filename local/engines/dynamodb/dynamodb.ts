import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataDirectory } from '../dataDirectory.ts';
import type { Engine } from '../engine.ts';
import { freePort } from '../freePort.ts';
import { killOrphan } from '../orphanProcess.ts';
import { indexStreams } from './streamIndexes.ts';

const SUPERVISOR = fileURLToPath(new URL('../supervisor.ts', import.meta.url));
const START_ATTEMPTS = 3;

/**
 * Starts the DynamoDB engine on its own port and data file. An acknowledged write is in that file's log, so it outlives
 * a kill of the process; only a loss of power can take the last ones. Throws where the engine has no build for this
 * machine or does not start.
 */
export async function startDynamoDb(data: DataDirectory, log: (line: string) => void): Promise<Engine> {
  const program = engineProgram();
  const dataFile = data.join('dynamodb.db');
  const pidFile = data.join('dynamodb.pid');
  await killOrphan(pidFile, dataFile);
  let fault: unknown;
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    const port = await freePort();
    const command = [pidFile, program, '--host', '127.0.0.1', '--port', String(port), '--db-path', dataFile];
    try {
      const child = await launch(command, data.join('logs', 'dynamodb.log'), log);
      await indexOrStop(dataFile, child);
      return { url: `http://127.0.0.1:${port}`, stop: child.stop };
    } catch (error) {
      fault = error;
    }
  }
  throw new Error('The DynamoDB engine did not start', { cause: fault });
}

/**
 * The engine's binary for this platform. Throws with the way round it where the platform package is not installed.
 */
export function engineProgram(platform: string = process.platform, arch: string = process.arch): string {
  const name = `@dynoxide/${platform}-${arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch (error) {
    throw new Error(
      `There is no embedded DynamoDB for this machine (${name} is not installed). ` +
        'Install it, or set AWS_ENDPOINT_URL_DYNAMODB to a DynamoDB endpoint to use instead',
      { cause: error },
    );
  }
}

interface Launched {
  stop(): Promise<void>;
}

/** Leaves no engine behind that could not be made ready. */
async function indexOrStop(dataFile: string, child: Launched): Promise<void> {
  try {
    indexStreams(dataFile);
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** Runs the guard, detached so that Ctrl-C reaches the runtime first and handlers can finish their writes. */
function launch(command: string[], logFile: string, log: (line: string) => void): Promise<Launched> {
  const guard = spawn(process.execPath, [SUPERVISOR, ...command], {
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const output = createWriteStream(logFile, { flags: 'a' });
  guard.stderr.pipe(output);
  guard.stdin.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => guard.once('exit', resolve));
  let stopping = false;
  const stop = async (): Promise<void> => {
    stopping = true;
    guard.stdin.end();
    await ended;
  };
  return new Promise((resolve, reject) => {
    let started = false;
    guard.once('error', reject);
    guard.stderr.on('data', (chunk: Buffer) => {
      if (started || !chunk.toString().includes('listening on')) return;
      started = true;
      resolve({ stop });
    });
    ended.then((code) => {
      if (!started) reject(new Error(`The DynamoDB engine ended with code ${code}; see ${logFile}`));
      else if (!stopping) log(`The DynamoDB engine ended unexpectedly (code ${code}); see ${logFile}`);
    });
  });
}
