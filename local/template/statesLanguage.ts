import * as z from 'zod';

/**
 * The supported part of the Amazon States Language: JSONPath, and the state fields that the interpreter supports.
 * Objects are strict, so fields it would silently ignore (`Assign`, `Arguments`, `ToleratedFailureCount` …) are rejected.
 */

/** A state, with its transitions and its task. */
export interface State {
  Type: string;
  Next?: string | undefined;
  Default?: string | undefined;
  Choices?: { Next: string }[] | undefined;
  Catch?: { Next: string }[] | undefined;
  Resource?: string | undefined;
  Parameters?: unknown;
  TimeoutSeconds?: number | undefined;
  Branches?: StateGroup[] | undefined;
  ItemProcessor?: StateGroup | undefined;
}

/** A group of connected states: a state machine, a parallel branch, or a map's item processor. */
export interface StateGroup {
  StartAt: string;
  States: Record<string, State>;
}

/** The optimised Lambda integration, which wraps the result of the function. */
export const INVOKE = 'arn:aws:states:::lambda:invoke';
/** The maximum delay of a Node timer, about 24 days. A longer one would fire immediately. */
export const TIMER_LIMIT_S = Math.floor((2 ** 31 - 1) / 1000);

const Path = z.string().startsWith('$');
const Seconds = z.number().int().min(0).max(TIMER_LIMIT_S);
const Template = z.json();
const Comment = z.string().optional();
const QueryLanguage = z.literal('JSONPath', 'only JSONPath is supported locally').optional();

const commonFields = { Comment, QueryLanguage };
const pathFields = {
  ...commonFields,
  InputPath: Path.nullable().optional(),
  OutputPath: Path.nullable().optional(),
};
const transitionFields = { ...pathFields, Next: z.string().optional(), End: z.literal(true).optional() };
const ResultPath = Path.nullable().optional();

const Errors = z.array(z.string()).min(1);
const Retrier = z.strictObject({
  Comment,
  ErrorEquals: Errors,
  IntervalSeconds: Seconds.min(1).optional(),
  MaxAttempts: z.number().int().min(0).optional(),
  BackoffRate: z.number().min(1).optional(),
  MaxDelaySeconds: Seconds.min(1).optional(),
  JitterStrategy: z.enum(['NONE', 'FULL']).optional(),
});
const Catcher = z.strictObject({ Comment, ErrorEquals: Errors, Next: z.string(), ResultPath });
const errorHandlingFields = {
  ...transitionFields,
  ResultPath,
  ResultSelector: Template.optional(),
  Retry: z.array(Retrier).optional(),
  Catch: z.array(Catcher).optional(),
};

const States: z.ZodType<Record<string, State>> = z.record(
  z.string(),
  z.lazy(() => State),
);
const stateGroupFields = { ...commonFields, StartAt: z.string(), States };
const Inline = z.strictObject({
  Mode: z.literal('INLINE', 'only INLINE maps are supported locally').optional(),
});

/** Parameters of the optimised integration. The function name is static, so that it can be checked before a run. */
export const InvokeParameters = z.strictObject({
  FunctionName: z.string(),
  Payload: Template.optional(),
  'Payload.$': z.string().optional(),
});
const Task = z
  .strictObject({
    ...errorHandlingFields,
    Type: z.literal('Task'),
    Resource: z
      .string()
      .regex(
        /^arn:[^:]*:(lambda:[^:]*:[^:]*:function:[^:]+|states:::lambda:invoke)$/,
        'only Lambda functions are supported',
      ),
    Parameters: Template.optional(),
    TimeoutSeconds: Seconds.min(1).optional(),
  })
  .refine(
    ({ Resource, Parameters }) => Resource !== INVOKE || InvokeParameters.safeParse(Parameters).success,
    {
      path: ['Parameters'],
      message: 'must be FunctionName and Payload',
    },
  );
const MapState = z.strictObject({
  ...errorHandlingFields,
  Type: z.literal('Map'),
  ItemsPath: Path.optional(),
  ItemSelector: Template.optional(),
  ItemProcessor: z.strictObject({ ...stateGroupFields, ProcessorConfig: Inline.optional() }),
  MaxConcurrency: z.number().int().min(0).optional(),
  MaxConcurrencyPath: Path.optional(),
});
const Parallel = z.strictObject({
  ...errorHandlingFields,
  Type: z.literal('Parallel'),
  Parameters: Template.optional(),
  Branches: z.array(z.strictObject(stateGroupFields)).min(1),
});
const Choice = z.strictObject({
  ...pathFields,
  Type: z.literal('Choice'),
  Choices: z
    .array(z.looseObject({ Next: z.string(), Assign: z.never().optional(), Condition: z.never().optional() }))
    .min(1),
  Default: z.string().optional(),
});
const Wait = z.strictObject({
  ...transitionFields,
  Type: z.literal('Wait'),
  Seconds: Seconds.optional(),
  SecondsPath: Path.optional(),
  Timestamp: z.string().optional(),
  TimestampPath: Path.optional(),
});
const Pass = z.strictObject({
  ...transitionFields,
  ResultPath,
  Type: z.literal('Pass'),
  Result: Template.optional(),
  Parameters: Template.optional(),
});
const Succeed = z.strictObject({ ...pathFields, Type: z.literal('Succeed') });
const Fail = z.strictObject({
  ...commonFields,
  Type: z.literal('Fail'),
  Error: z.string().optional(),
  ErrorPath: Path.optional(),
  Cause: z.string().optional(),
  CausePath: Path.optional(),
});
const State = z.discriminatedUnion('Type', [Task, MapState, Parallel, Choice, Wait, Pass, Succeed, Fail]);

/** A definition the local runtime can run. */
export const Definition = z.strictObject({
  ...stateGroupFields,
  Version: z.literal('1.0').optional(),
  TimeoutSeconds: Seconds.min(1).optional(),
});
export type Definition = z.infer<typeof Definition>;
