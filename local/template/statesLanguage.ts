import * as z from 'zod';

/**
 * The part of the Amazon States Language that runs here: JSONPath, and of each state the fields the interpreter heeds.
 * Objects are strict, so what it would silently leave out (`Assign`, `Arguments`, `ToleratedFailureCount` …) is refused.
 */

/** A state, with what leads to other states and what it calls. */
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

/** States that lead to each other: a machine, a branch, or what a map does with an item. */
export interface StateGroup {
  StartAt: string;
  States: Record<string, State>;
}

/** The optimised integration, which wraps what the function answers. */
export const INVOKE = 'arn:aws:states:::lambda:invoke';
/** The longest time a timer of Node takes, about 24 days; a longer one would end at once. */
export const TIMER_LIMIT_S = Math.floor((2 ** 31 - 1) / 1000);

const Path = z.string().startsWith('$');
const Seconds = z.number().int().min(0).max(TIMER_LIMIT_S);
const Template = z.json();
const Comment = z.string().optional();
const QueryLanguage = z.literal('JSONPath', 'only JSONPath is run locally').optional();

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
const Inline = z.strictObject({ Mode: z.literal('INLINE', 'only inline maps are run locally').optional() });

/** What the optimised integration is told; the function is named, as it must be found before anything runs. */
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
        'only functions are called',
      ),
    Parameters: Template.optional(),
    TimeoutSeconds: Seconds.min(1).optional(),
  })
  .refine(
    ({ Resource, Parameters }) => Resource !== INVOKE || InvokeParameters.safeParse(Parameters).success,
    {
      path: ['Parameters'],
      message: 'of a call must be FunctionName and Payload',
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
