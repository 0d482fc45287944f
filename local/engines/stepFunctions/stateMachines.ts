import { createHash } from 'node:crypto';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../../jsonFile.ts';
import type { StateMachineDeclaration } from '../../template/stateMachines.ts';
import type { AwsCredentials } from '../awsCredentials.ts';
import { serveAwsJson } from '../awsJson.ts';
import type { DataDirectory } from '../dataDirectory.ts';
import type { Engine } from '../engine.ts';
import { Executions } from './stateMachineExecutions.ts';
import { operationsOn } from './stateMachineOperations.ts';
import type { Machine } from './stateMachineRun.ts';
import { openExecutions } from './stateMachineStore.ts';
import type { InvokeByArn } from './stateMachineTask.ts';

export interface StateMachinesEngine extends Engine {
  /** The number of running executions. */
  readonly running: number;
  /**
   * Registers the state machines and resumes the executions that were running when the last process ended.
   * Throws a TemplateError if a definition is invalid.
   */
  serve(declarations: StateMachineDeclaration[], invoke: InvokeByArn): Promise<void>;
  /** Starts an execution, as an EventBridge rule or schedule does. */
  start(machineArn: string, input: string): void;
  /** Starts no further state and waits for running functions. */
  drain(): Promise<void>;
}

/** Starts Step Functions. Its executions are stored in the data directory. */
export async function startStateMachines(
  data: DataDirectory,
  credentials?: AwsCredentials,
): Promise<StateMachinesEngine> {
  const store = openExecutions(data.join('executions.db'), Date.now());
  const executions = new Executions(store, Date.now);
  const operations = operationsOn(executions);
  const protocol = { version: '1.0', internalErrorName: 'InternalFailure' } as const;
  const server = await serveAwsJson(operations, protocol, credentials);
  return {
    url: server.url,
    get running() {
      return executions.running;
    },
    async serve(declarations, invoke) {
      executions.serve(await prepareMachines(declarations, data.join('valid-definitions.json')), invoke);
    },
    start: (stateMachineArn, input) => {
      operations['StartExecution']?.({ stateMachineArn, input });
    },
    drain: () => executions.drain(),
    async stop() {
      await executions.drain();
      await server.stop();
      store.close();
    },
  };
}

/** The definitions that an earlier start found valid. To check one takes a third of a second, most of it to compile the rules. */
const ValidDefinitions = z.array(z.string());

const digestOf = ({ definition }: StateMachineDeclaration): string =>
  createHash('sha256').update(JSON.stringify(definition)).digest('hex');

/** Imports the interpreter on demand. It loads slowly, and a stack without state machines does not need it. */
async function prepareMachines(declarations: StateMachineDeclaration[], file: string): Promise<Machine[]> {
  if (declarations.length === 0) return [];
  const { prepareMachine } = await import('./stateMachineRun.ts');
  const valid = new Set(readJsonFile(file, ValidDefinitions));
  const digests = declarations.map(digestOf);
  const machines = declarations.map((one, index) => prepareMachine(one, valid.has(digests[index] ?? '')));
  if (digests.some((digest) => !valid.has(digest))) writeJsonFile(file, digests);
  return machines;
}
