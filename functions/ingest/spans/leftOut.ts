import type { LeftOut } from '../../impact/usage/unreadUsage.ts';
import { countOf, textOf } from './attributes.ts';
import { mayCountTextOnly } from './countedStreams.ts';
import { lacksThoughts } from './googleGenai.ts';
import { AI_SDK_7 } from './spanKind.ts';
import type { Span } from './telemetry.ts';

type Telemetry = Pick<Span, 'scope' | 'scopeVersion' | 'attributes'>;

/** Models of Amazon Bedrock that can read from a cache. */
const CACHES = /claude|nova/;
/**
 * Instrumentations of Bedrock that pass on the input of the response, which has no cached tokens: `_setResponseAttributes` of
 * OpenLLMetry 0.27.0, `setUsage` of the AWS SDK for JavaScript 0.78.0, `bedrock.py` of botocore, and
 * `BedrockRuntimeImpl` for Java.
 */
const AWS_SDK =
  /^(?:@opentelemetry\/instrumentation-aws-sdk$|opentelemetry\.instrumentation\.botocore(?:$|\.)|io\.opentelemetry\.aws-sdk-)/;
const OPENLLMETRY_BEDROCK = '@traceloop/instrumentation-bedrock';
/** Their answers to `InvokeModel` state no counts: the instrumentations of AWS SDKs divide the characters by six. */
const COUNTED_BY_CHARACTERS = /cohere|mistral/;
const INVOKE_MODEL = /(?:^|\/)InvokeModel/;
const WITHOUT_THOUGHTS = /gemini-(?:1|2\.0)/;
const GOOGLE = /^(?:google|vertex)/;
/** The span of a whole answer. That of a stream has all counts of the model. */
const WHOLE_ANSWER = /^ai\.generate(?:Text|Object)\.doGenerate$/;

const modelOf = ({ attributes }: Telemetry): string =>
  (textOf('requestedModel', attributes) ?? textOf('servedModel', attributes) ?? '').toLowerCase();

/** Versions before 6, whose spans name no details of the input. */
const isEarlyAiSdk = ({ scope, attributes }: Telemetry): boolean =>
  textOf('aiOperation', attributes) !== undefined &&
  scope !== AI_SDK_7 &&
  ![...attributes.keys()].some((name) => name.startsWith('ai.usage.inputTokenDetails.'));

/**
 * Whether tokens that were read from a cache can be missing, because the API counts them beside the input and the
 * instrumentation does not pass them on: Vercel AI SDK 5 has those of Bedrock in streams only.
 */
const lacksCachedTokens = (telemetry: Telemetry): boolean => {
  const { scope, attributes } = telemetry;
  if (countOf('cacheRead', attributes) !== undefined || !CACHES.test(modelOf(telemetry))) return false;
  return (
    scope === OPENLLMETRY_BEDROCK ||
    AWS_SDK.test(scope) ||
    (isEarlyAiSdk(telemetry) &&
      textOf('provider', attributes) === 'amazon-bedrock' &&
      WHOLE_ANSWER.test(textOf('aiOperation', attributes) ?? ''))
  );
};

/** Vercel AI SDK 4 has the candidates of Gemini as its output, without the thoughts. */
const lacksThoughtsOfAiSdk = (telemetry: Telemetry): boolean =>
  isEarlyAiSdk(telemetry) &&
  GOOGLE.test(textOf('provider', telemetry.attributes) ?? '') &&
  countOf('totalTokens', telemetry.attributes) === undefined &&
  countOf('reasoning', telemetry.attributes) === undefined &&
  /gemini/.test(modelOf(telemetry)) &&
  !WITHOUT_THOUGHTS.test(modelOf(telemetry));

/** Whether the counts follow from the number of characters. */
const estimatesTokens = (telemetry: Telemetry): boolean =>
  AWS_SDK.test(telemetry.scope) &&
  COUNTED_BY_CHARACTERS.test(modelOf(telemetry)) &&
  INVOKE_MODEL.test(textOf('rpcMethod', telemetry.attributes) ?? 'InvokeModel');

/** What the instrumentation of a call is known to leave out of its counts, although it is charged. */
export const leftOut = (telemetry: Telemetry): readonly LeftOut[] => [
  ...(lacksThoughts(telemetry) || lacksThoughtsOfAiSdk(telemetry) ? ['thoughts' as const] : []),
  ...(mayCountTextOnly(telemetry) ? ['stream' as const] : []),
  ...(lacksCachedTokens(telemetry) ? ['cached tokens' as const] : []),
  ...(estimatesTokens(telemetry) ? ['estimated tokens' as const] : []),
];
