import * as z from 'zod';
import type { FunctionDeclaration } from './functions.ts';
import { ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';
import { Definition, INVOKE, InvokeParameters, type State, type StateGroup } from './statesLanguage.ts';
import { describeResource, TemplateError } from './template.ts';

const DefinitionText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' });
    return z.NEVER;
  }
});

const ValidDefinition = Definition.superRefine((definition, context) => {
  for (const message of findFaults(definition)) context.addIssue({ code: 'custom', message });
});

const StateMachine = z.strictObject({
  DefinitionString: DefinitionText.pipe(ValidDefinition),
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
export function readStateMachines(
  reading: ResolvedTemplate,
  functions: readonly FunctionDeclaration[],
): StateMachineDeclaration[] {
  const callable = new Set(functions.flatMap(({ arn, name }) => [arn, name]));
  return resourcesOfType(reading, 'AWS::StepFunctions::StateMachine', StateMachine).map(
    ({ logicalId, identity, resource, properties: { DefinitionString: definition } }) => {
      const tasks = tasksOf(definition, []);
      for (const [state, { functionArn }] of tasks) {
        if (callable.has(functionArn)) continue;
        throw new TemplateError(
          `${describeResource(logicalId, resource.Type)}: ${state} calls ${functionArn}, which the template does not declare`,
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

const tasksOf = (scope: StateGroup, maps: string[]): [name: string, task: TaskDeclaration][] =>
  Object.entries(scope.States).flatMap(([name, state]) => {
    const inside = state.Type === 'Map' ? [...maps, name] : maps;
    const called = invokedFunction(state);
    return [
      ...(called ? [[name, { ...called, maps }] satisfies [string, TaskDeclaration]] : []),
      ...nestedIn(state).flatMap((nested) => tasksOf(nested, inside)),
    ];
  });

function invokedFunction({ Resource, Parameters }: State): Omit<TaskDeclaration, 'maps'> | undefined {
  if (Resource === undefined) return undefined;
  if (Resource !== INVOKE) return { functionArn: Resource, wrapped: false };
  return { functionArn: InvokeParameters.parse(Parameters).FunctionName, wrapped: true };
}

const nestedIn = ({ Branches = [], ItemProcessor }: State): StateGroup[] => [
  ...Branches,
  ...(ItemProcessor ? [ItemProcessor] : []),
];

const scopesOf = (scope: StateGroup): StateGroup[] => [
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
function findFaults(definition: StateGroup): string[] {
  const [, ...nested] = scopesOf(definition);
  const names = scopesOf(definition).flatMap(({ States }) => Object.keys(States));
  const duplicates = new Set(names.filter((name, index) => names.indexOf(name) < index));
  const missingTargets = scopesOf(definition).flatMap(({ StartAt, States }) =>
    [StartAt, ...Object.values(States).flatMap(targetsOf)].filter((target) => !Object.hasOwn(States, target)),
  );
  const unknownPaths = [
    ...contextIn(definition).filter((path) => !CONTEXT.test(path)),
    // Within a branch or an item the interpreter would answer with that one's input.
    ...nested.flatMap(contextIn).filter((path) => path.startsWith('$$.Execution.Input')),
  ];
  return [
    ...[...duplicates].map((name) => `two states are named ${name}`),
    ...missingTargets.map((name) => `there is no state ${name} to go to`),
    ...[...new Set(unknownPaths)].map((path) => `${path} is not known locally`),
  ];
}

const contextIn = (scope: StateGroup): string[] => JSON.stringify(scope).match(/\$\$\.[\w.]+/g) ?? [];
