import * as z from 'zod';
import { declared, ignored, type Reading } from './declared.ts';
import type { FunctionDeclaration } from './functions.ts';
import { Definition, INVOKE, InvokeParameters, type Scope, type State } from './statesLanguage.ts';
import { place, TemplateError } from './template.ts';

const DefinitionText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' });
    return z.NEVER;
  }
});

const Checked = Definition.superRefine((definition, context) => {
  for (const message of faultsOf(definition)) context.addIssue({ code: 'custom', message });
});

const StateMachine = z.strictObject({
  DefinitionString: DefinitionText.pipe(Checked),
  StateMachineName: z.string().optional(),
  // An express machine has no executions to describe.
  StateMachineType: z.literal('STANDARD', 'only standard state machines are run locally').optional(),
  EncryptionConfiguration: ignored,
  LoggingConfiguration: ignored,
  RoleArn: ignored,
  Tags: ignored,
  TracingConfiguration: ignored,
});

/** Which function a task calls, and whether the answer is wrapped as the optimised integration does. */
export interface TaskDeclaration {
  functionArn: string;
  wrapped: boolean;
  /** The maps it is in, by the names of their states. */
  maps: string[];
}

export interface StateMachineDeclaration {
  logicalId: string;
  name: string;
  arn: string;
  definition: Definition;
  /** By the name of their state, which is unique in a machine. */
  tasks: Record<string, TaskDeclaration>;
}

/** Every state machine of the template. Throws a TemplateError for one that cannot be run or calls what is not there. */
export function stateMachines(
  reading: Reading,
  functions: readonly FunctionDeclaration[],
): StateMachineDeclaration[] {
  const callable = new Set(functions.flatMap(({ arn, name }) => [arn, name]));
  return declared(reading, 'AWS::StepFunctions::StateMachine', StateMachine).map(
    ({ logicalId, identity, resource, properties: { DefinitionString: definition } }) => {
      const tasks = tasksOf(definition, []);
      for (const [state, { functionArn }] of tasks) {
        if (callable.has(functionArn)) continue;
        throw new TemplateError(
          `${place(logicalId, resource.Type)}: ${state} calls ${functionArn}, which the template does not declare`,
        );
      }
      return {
        logicalId,
        name: identity.name,
        arn: identity.ref,
        definition,
        tasks: Object.fromEntries(tasks),
      };
    },
  );
}

const tasksOf = (scope: Scope, maps: string[]): [name: string, task: TaskDeclaration][] =>
  Object.entries(scope.States).flatMap(([name, state]) => {
    const inside = state.Type === 'Map' ? [...maps, name] : maps;
    const called = calledBy(state);
    return [
      ...(called ? [[name, { ...called, maps }] satisfies [string, TaskDeclaration]] : []),
      ...nestedIn(state).flatMap((nested) => tasksOf(nested, inside)),
    ];
  });

function calledBy({ Resource, Parameters }: State): Omit<TaskDeclaration, 'maps'> | undefined {
  if (Resource === undefined) return undefined;
  if (Resource !== INVOKE) return { functionArn: Resource, wrapped: false };
  return { functionArn: InvokeParameters.parse(Parameters).FunctionName, wrapped: true };
}

const nestedIn = ({ Branches = [], ItemProcessor }: State): Scope[] => [
  ...Branches,
  ...(ItemProcessor ? [ItemProcessor] : []),
];

const scopesOf = (scope: Scope): Scope[] => [
  scope,
  ...Object.values(scope.States).flatMap(nestedIn).flatMap(scopesOf),
];

const targetsOf = ({ Next, Default, Choices = [], Catch = [] }: State): string[] =>
  [Next, Default, ...Choices.map((choice) => choice.Next), ...Catch.map((catcher) => catcher.Next)].filter(
    (target) => target !== undefined,
  );

/** What the context object tells here as it does on AWS. */
const CONTEXT = /^\$\$\.(Execution\.(Id|Name|Input)|StateMachine\.(Id|Name)|Map\.Item\.(Index|Value))\b/;

/** What the shape alone does not show: names used twice, ways that lead nowhere, and a context that is not known here. */
function faultsOf(definition: Scope): string[] {
  const [, ...nested] = scopesOf(definition);
  const names = scopesOf(definition).flatMap(({ States }) => Object.keys(States));
  const twice = new Set(names.filter((name, index) => names.indexOf(name) < index));
  const lost = scopesOf(definition).flatMap(({ StartAt, States }) =>
    [StartAt, ...Object.values(States).flatMap(targetsOf)].filter((target) => !Object.hasOwn(States, target)),
  );
  const strange = [
    ...contextIn(definition).filter((path) => !CONTEXT.test(path)),
    // Within a branch or an item the interpreter would answer with that one's input.
    ...nested.flatMap(contextIn).filter((path) => path.startsWith('$$.Execution.Input')),
  ];
  return [
    ...[...twice].map((name) => `two states are named ${name}`),
    ...lost.map((name) => `there is no state ${name} to go to`),
    ...[...new Set(strange)].map((path) => `${path} is not known locally`),
  ];
}

const contextIn = (scope: Scope): string[] => JSON.stringify(scope).match(/\$\$\.[\w.]+/g) ?? [];
