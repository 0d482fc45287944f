import { textOf } from './attributes.ts';
import type { Span } from './telemetry.ts';

/**
 * OpenLLMetry for JavaScript counts the text of a stream itself, without tools, images, cached and reasoning tokens, also if the
 * response states its usage. No attribute says that a call was a stream. Responses of the Responses API keep their usage.
 * https://github.com/traceloop/openllmetry-js packages/instrumentation-openai/src/instrumentation.ts
 */
const SCOPE = '@traceloop/instrumentation-openai';
const OPERATIONS = /^(?:chat|text_completion|completion)$/;
const OF_RESPONSES_API = /^resp_/;

/** Whether the counts can be those of the text alone, so that more is charged. */
export const mayCountTextOnly = ({ scope, attributes }: Pick<Span, 'scope' | 'attributes'>): boolean =>
  scope === SCOPE &&
  OPERATIONS.test(textOf('operation', attributes) ?? textOf('requestType', attributes) ?? '') &&
  !OF_RESPONSES_API.test(textOf('responseId', attributes) ?? '');
