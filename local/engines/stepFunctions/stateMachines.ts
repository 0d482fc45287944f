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
      executions.serve(declarations.length === 0 ? [] : await prepareMachines(declarations), invoke);
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

/** Imports the interpreter on demand. It loads slowly, and a stack without state machines does not need it. */
async function prepareMachines(declarations: StateMachineDeclaration[]): Promise<Machine[]> {
  const { prepareMachine: prepare } = await import('./stateMachineRun.ts');
  return declarations.map(prepare);
}
