import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ExecutionAbortedError,
  ExecutionTimeoutError,
  type RunOptions,
  StateMachine,
  type StateMachineDefinition,
} from 'aws-local-stepfunctions';
import * as z from 'zod';
import type { StateMachineDeclaration } from '../../template/stateMachines.ts';
import { type State, type StateGroup, TIMER_LIMIT_S } from '../../template/statesLanguage.ts';
import { describeResource, TemplateError } from '../../template/template.ts';
import { TaskCalls } from './stateMachineCalls.ts';
import type { Execution, ExecutionEnding } from './stateMachineStore.ts';
import { type InvokeByArn, isTooLarge, tooLarge } from './stateMachineTask.ts';

/** A running execution. */
export interface ExecutionRun {
  /** Resolves to the result of the execution. Undefined if it was halted. */
  ended: Promise<ExecutionEnding | undefined>;
  /** Starts no further state. Resolves when the run has ended and all called functions have answered. */
  halt(): Promise<void>;
}

/** A state machine that is ready to run. */
export interface Machine {
  arn: string;
  run(execution: Execution, invoke: InvokeByArn): ExecutionRun;
}

/** Prepares a state machine. Throws a TemplateError if its definition is invalid, unless it is known to be valid. */
export function prepareMachine(declaration: StateMachineDeclaration, isKnownValid: boolean): Machine {
  const interpreter = buildInterpreter(declaration, isKnownValid);
  const { name, arn, tasks } = declaration;
  return {
    arn,
    run: (execution, invoke) => {
      const calls = new TaskCalls(tasks, invoke);
      const context = {
        Execution: { Id: execution.arn, Name: execution.name },
        StateMachine: { Id: arn, Name: name },
      };
      const options = { context, overrides: { taskResourceLocalHandlers: calls.handlers } };
      return startRun(interpreter, execution, options, calls);
    },
  };
}

function startRun(
  interpreter: StateMachine,
  execution: Execution,
  options: RunOptions,
  calls: TaskCalls,
): ExecutionRun {
  const { result, abort, eventLogs } = interpreter.run(JSON.parse(execution.input), options);
  let oversized: string | undefined;
  const trackEvents = async (): Promise<void> => {
    for await (const event of eventLogs) {
      if (event.type === 'MapIterationFailed') calls.failedMaps.add(event.parentState.name);
      if (event.type === 'StateEntered' || event.type === 'StateRetried') {
        calls.failedMaps.delete(event.state.name);
      }
      if (event.type === 'StateExited' && isTooLarge(event.state.output)) {
        oversized ??= event.state.name;
        abort();
      }
    }
  };
  const waitForResult = async (): Promise<ExecutionEnding | undefined> => {
    const [outcome] = await Promise.allSettled([result]);
    // The events of the last states arrive in the same turn of the event loop.
    await nextTurn();
    calls.halted = true;
    if (oversized !== undefined) return failure(tooLarge(oversized));
    if (outcome.status === 'fulfilled') return { status: 'SUCCEEDED', output: JSON.stringify(outcome.value) };
    if (outcome.reason instanceof ExecutionAbortedError) return undefined;
    if (outcome.reason instanceof ExecutionTimeoutError) return { status: 'TIMED_OUT' };
    return failure(Thrown.parse(outcome.reason).cause);
  };
  void trackEvents();
  const ended = waitForResult();
  return {
    ended,
    async halt() {
      calls.halted = true;
      abort();
      await Promise.all([ended, calls.whenIdle()]);
    },
  };
}

/** The interpreter wraps the error of a state. */
const Thrown = z.object({ cause: z.instanceof(Error) });

const failure = ({ name, message }: Error): ExecutionEnding => ({
  status: 'FAILED',
  error: name,
  cause: message,
});

/** Throws a TemplateError if the interpreter rejects the definition. */
function buildInterpreter(
  { logicalId, definition }: StateMachineDeclaration,
  noValidate: boolean,
): StateMachine {
  const withLimits = z.custom<StateMachineDefinition>().parse(withTimeLimits(definition));
  try {
    return new StateMachine(withLimits, { validationOptions: { noValidate } });
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new TemplateError(`${describeResource(logicalId, 'AWS::StepFunctions::StateMachine')}: ${fault}`, {
      cause: error,
    });
  }
}

/** Gives a task without a timeout the longest possible one. The default of the interpreter is one minute. */
const withTimeLimits = <S extends StateGroup>({ States, ...scope }: S) => ({
  ...scope,
  States: Object.fromEntries(Object.entries(States).map(([name, state]) => [name, withTimeLimit(state)])),
});

const withTimeLimit = (state: State): object => ({
  ...state,
  ...(state.Type === 'Task' && { TimeoutSeconds: state.TimeoutSeconds ?? TIMER_LIMIT_S }),
  ...(state.Branches && { Branches: state.Branches.map(withTimeLimits) }),
  ...(state.ItemProcessor && { ItemProcessor: withTimeLimits(state.ItemProcessor) }),
});
