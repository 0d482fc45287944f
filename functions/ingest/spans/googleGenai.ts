import { isAtLeast } from '../formats/producerConventions.ts';
import { countOf, textOf } from './attributes.ts';
import type { Span } from './telemetry.ts';

/**
 * What earlier versions of the instrumentation of google-genai count wrongly.
 * https://github.com/open-telemetry/opentelemetry-python-contrib/pull/4152, and /pull/4206
 */
const SCOPE = /(?:^|\.)google_genai$/;
const COUNTS_STREAMS_SINCE = '0.7';
const COUNTS_THOUGHTS_SINCE = '0.8';
/** A call that is no stream. Its log event does not name the function. */
const WHOLE_ANSWER = /\.generate_content$/;
const WITHOUT_THOUGHTS = /gemini-(?:1|2\.0)/;

type Telemetry = Pick<Span, 'scope' | 'scopeVersion' | 'attributes'>;

/** Whether a version before `version` sent it. Later ones can name their thoughts. */
const isBefore = (version: string, { scope, scopeVersion, attributes }: Telemetry): boolean =>
  SCOPE.test(scope) && !isAtLeast(scopeVersion, version) && countOf('reasoning', attributes) === undefined;

/** Whether its counts can be sums over the chunks of a stream, each of which repeats those before it. Nothing tells how many. */
export const sumsChunks = (telemetry: Telemetry): boolean =>
  isBefore(COUNTS_STREAMS_SINCE, telemetry) &&
  !WHOLE_ANSWER.test(textOf('functionName', telemetry.attributes) ?? '');

/** Whether its output can lack thoughts, which are charged. */
export const lacksThoughts = (telemetry: Telemetry): boolean =>
  isBefore(COUNTS_THOUGHTS_SINCE, telemetry) &&
  !WITHOUT_THOUGHTS.test(textOf('requestedModel', telemetry.attributes) ?? '');
