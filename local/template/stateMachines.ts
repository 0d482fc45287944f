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
  // Express state machines have no executions that can be described.
  StateMachineType: z.literal('STANDARD', 'only STANDARD state machines are supported locally').optional(),
  EncryptionConfiguration: ignored,
  LoggingConfiguration: ignored,
  RoleArn: ignored,
  Tags: ignored,
  TracingConfiguration: ignored,
});

/** The function that a task calls. `wrapped` is set for the optimised integration, which wraps the result. */
export interface TaskDeclaration {
  functionArn: string;
  wrapped: boolean;
  /** State names of the maps that contain the task. */
  maps: string[];
}

export interface StateMachineDeclaration {
  logicalId: string;
  name: string;
  arn: string;
  definition: Definition;
  /** By state name, which is unique in a state machine. */
  tasks: Record<string, TaskDeclaration>;
}

/** Every state machine of the template. Throws a TemplateError if one is unsupported or calls an undeclared function. */
export function readStateMachines(
  template: ResolvedTemplate,
  functions: readonly FunctionDeclaration[],
): StateMachineDeclaration[] {
  const functionIds = new Set(functions.flatMap(({ arn, name }) => [arn, name]));
  return resourcesOfType(template, 'AWS::StepFunctions::StateMachine', StateMachine).map(
    ({ logicalId, identity, resource, properties: { DefinitionString: definition } }) => {
      const tasks = tasksOf(definition, []);
      for (const [state, { functionArn }] of tasks) {
        if (functionIds.has(functionArn)) continue;
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
    const nestedMaps = state.Type === 'Map' ? [...maps, name] : maps;
    const invoked = invokedFunction(state);
    return [
      ...(invoked ? [[name, { ...invoked, maps }] satisfies [string, TaskDeclaration]] : []),
      ...nestedGroupsOf(state).flatMap((nested) => tasksOf(nested, nestedMaps)),
    ];
  });

function invokedFunction({ Resource, Parameters }: State): Omit<TaskDeclaration, 'maps'> | undefined {
  if (Resource === undefined) return undefined;
  if (Resource !== INVOKE) return { functionArn: Resource, wrapped: false };
  return { functionArn: InvokeParameters.parse(Parameters).FunctionName, wrapped: true };
}

const nestedGroupsOf = ({ Branches = [], ItemProcessor }: State): StateGroup[] => [
  ...Branches,
  ...(ItemProcessor ? [ItemProcessor] : []),
];

const allGroupsOf = (scope: StateGroup): StateGroup[] => [
  scope,
  ...Object.values(scope.States).flatMap(nestedGroupsOf).flatMap(allGroupsOf),
];

const targetsOf = ({ Next, Default, Choices = [], Catch = [] }: State): string[] =>
  [Next, Default, ...Choices.map((choice) => choice.Next), ...Catch.map((catcher) => catcher.Next)].filter(
    (target) => target !== undefined,
  );

/** The supported paths of the context object. */
const SUPPORTED_CONTEXT_PATH =
  /^\$\$\.(Execution\.(Id|Name|Input)|StateMachine\.(Id|Name)|Map\.Item\.(Index|Value))\b/;

/** Errors that the schema cannot find: duplicate state names, missing targets, and unsupported context paths. */
function findFaults(definition: StateGroup): string[] {
  const [, ...nested] = allGroupsOf(definition);
  const names = allGroupsOf(definition).flatMap(({ States }) => Object.keys(States));
  const duplicates = new Set(names.filter((name, index) => names.indexOf(name) < index));
  const missingTargets = allGroupsOf(definition).flatMap(({ StartAt, States }) =>
    [StartAt, ...Object.values(States).flatMap(targetsOf)].filter((target) => !Object.hasOwn(States, target)),
  );
  const unknownPaths = [
    ...contextPathsIn(definition).filter((path) => !SUPPORTED_CONTEXT_PATH.test(path)),
    // Inside a branch or a map item, the interpreter returns the input of that branch or item instead.
    ...nested.flatMap(contextPathsIn).filter((path) => path.startsWith('$$.Execution.Input')),
  ];
  return [
    ...[...duplicates].map((name) => `two states are named ${name}`),
    ...missingTargets.map((name) => `the next state ${name} does not exist`),
    ...[...new Set(unknownPaths)].map((path) => `the context path ${path} is not supported locally`),
  ];
}

const contextPathsIn = (scope: StateGroup): string[] => JSON.stringify(scope).match(/\$\$\.[\w.]+/g) ?? [];
