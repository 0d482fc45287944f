import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { engineProgram } from '../../local/engines/dynamodb/dynamodb.ts';
import { dataDirectoryProblem } from './dataDirectory.ts';
import { type Finding, report } from './finding.ts';
import { platformProblem } from './platform.ts';

const GIB = 1024 ** 3;
const DISK_GIB = 1;
const MEMORY_GIB = 2;
const DEFAULT_PORT = 3_000;
const DATA_DIRECTORY = '.local';

type Environment = Readonly<Record<string, string | undefined>>;

const checkPort = (port: number): Promise<Finding> =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', () =>
      done({
        problem: `Port ${port} is in use. Stop the program that uses it, or choose another port: npm start -- --port 3001.`,
      }),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => done({ found: `Port ${port} is free.` })));
  });

const checkDisk = (): Finding => {
  const { bavail, bsize } = statfsSync('.');
  const free = (bavail * bsize) / GIB;
  return free < DISK_GIB
    ? { problem: `Only ${free.toFixed(1)} GiB of disk are free. The service needs ${DISK_GIB} GiB.` }
    : { found: `${free.toFixed(1)} GiB of disk are free.` };
};

const checkDataDirectory = (): Finding => {
  const problem = dataDirectoryProblem(DATA_DIRECTORY);
  return problem === null ? { found: `Data can be stored in ${DATA_DIRECTORY}.` } : { problem };
};

const checkMemory = (): Finding => {
  const total = totalmem() / GIB;
  return total < MEMORY_GIB
    ? { problem: `This machine has ${total.toFixed(1)} GiB of memory. The service needs ${MEMORY_GIB} GiB.` }
    : { found: `${total.toFixed(1)} GiB of memory.` };
};

const checkEngine = (environment: Environment): Finding => {
  const problem = platformProblem(environment);
  if (problem !== null) return { problem };
  const endpoint = environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? environment['AWS_ENDPOINT_URL'];
  if (endpoint) return { found: `The database is ${endpoint}.` };
  try {
    execFileSync(engineProgram(), ['--help'], { stdio: 'ignore' });
    return { found: 'The embedded database engine runs.' };
  } catch {
    return {
      problem:
        'The embedded database engine is installed, but does not run. Run npm ci again on this machine.',
    };
  }
};

/** Checks whether this machine can run the service. */
const examine = async (environment: Environment): Promise<Finding[]> => [
  { found: `Node ${process.version} runs the commands.` },
  await checkPort(Number(environment['PORT'] ?? DEFAULT_PORT)),
  checkDisk(),
  checkDataDirectory(),
  checkMemory(),
  checkEngine(environment),
];

/** Prints one line for each check. Returns the exit code: 1 if a check failed. */
export const runDoctor = async (environment: Environment, print: (line: string) => void): Promise<number> =>
  report(await examine(environment), print);
