import { modelIdentity } from '../../impact/usage/modelIdentity.ts';
import { regionName } from '../../impact/usage/regionName.ts';
import { textOf } from '../spans/attributes.ts';
import type { Attributes } from '../spans/telemetry.ts';
import type { Cell } from './cell.ts';

/** Who serves the calls of a table that names no provider, by columns and values that only it has together. */
const SERVERS: readonly (readonly [provider: string, ...marks: readonly RegExp[]])[] = [
  // Its models run on machines of the caller: https://github.com/ollama/ollama/blob/main/docs/api.md
  ['ollama', /^row\.eval_duration=/],
  ['snowflake', /\.token_credits=/],
  // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/batch-prediction-gemini
  ['gcp.vertex_ai', /^row\.processed_time=/],
  // https://docs.databricks.com/aws/en/admin/system-tables/model-serving-cost
  ['databricks', /^row\.(?:served_)?entity_name=system\.ai\./],
  // Outputs of batches. Groq has the ids of OpenAI, and Anthropic's models answer in the same form at Vertex AI and Bedrock.
  [
    'openai',
    /^row\.id=batch_req_/,
    /^row\.response\.body\.model=(?:gpt-(?!oss)|chatgpt-|o\d|text-embedding-|ft:)/,
  ],
  ['anthropic', /^row\.(?:result\.)?message\.id=msg_(?!vrtx_|bdrk_)/],
  ['gcp.gemini', /^row\.(?:metadata\.)?key=/, /^row\.response\.model_version=/],
  ['xai', /^row\.batch_request_id=/],
];
export const servedBy = (columns: readonly Cell[]): string | undefined =>
  SERVERS.find(([, ...marks]) =>
    marks.every((mark) => columns.some(([, path, cell]) => mark.test(`${path}=${String(cell)}`))),
  )?.[0];

/** Counts of cached tokens in an answer of the Messages API of Claude, which are beside its input. Others have `total_tokens`. */
const OF_MESSAGES = /\.usage\.cache_(?:read|creation)_input_tokens$/;
const MESSAGE = /^row\.(?:.+\.)?type=message$/;
/** PostHog says whether the cached tokens are beside the input: https://github.com/PostHog/posthog-python posthog/ai/types.py */
const REPORTED = /\.ai_cache_reporting_exclusive=(true|false)$/i;

/** LangSmith sums up all kinds of input: https://github.com/langchain-ai/langsmith-sdk python/langsmith/schemas.py UsageMetadata */
const OF_LANGSMITH = /\.ls_(?:provider|model_name)$/;

/** Whether the input tokens of a row include cached ones, if the row tells. */
export const semanticsOf = (columns: readonly Cell[]): 'inclusive' | 'exclusive' | undefined => {
  const said = columns
    .flatMap(([, path, value]) => REPORTED.exec(`${path}=${String(value)}`)?.[1] ?? [])
    .at(0);
  if (said !== undefined) return said.toLowerCase() === 'true' ? 'exclusive' : 'inclusive';
  if (columns.some(([, path]) => OF_LANGSMITH.test(path))) return 'inclusive';
  const isMessage =
    columns.some(([, path, value]) => MESSAGE.test(`${path}=${String(value)}`)) &&
    columns.some(([, path]) => OF_MESSAGES.test(path)) &&
    !columns.some(([name]) => name === 'total_tokens');
  return isMessage ? 'exclusive' : undefined;
};

/** Where clouds run calls. At any other provider, a region is that of the gateway or its caller. */
const CLOUDS: ReadonlySet<string> = new Set(['aws', 'azure', 'google', 'snowflake']);

export const isOfCloud = (attributes: Attributes): boolean =>
  CLOUDS.has(
    modelIdentity(textOf('provider', attributes) ?? '', textOf('requestedModel', attributes) ?? '').provider,
  );

/** Regions are named in many ways: `us-east-1`, `aws_us_west_2`, `East US 2`. */
export const regionIn = (value: unknown): string | undefined => {
  const name = typeof value === 'string' ? value.trim().replace(/^(?:aws|azure|gcp)_/i, '') : '';
  return /^[a-z][\w -]{1,31}$/i.test(name) && !/^(?:unknown|none|n.?a)$/i.test(name)
    ? regionName(name.replaceAll('_', '-'))
    : undefined;
};
