import { modelIdentity } from '../../impact/usage/modelIdentity.ts';
import { regionName } from '../../impact/usage/regionName.ts';
import { textOf } from '../spans/attributes.ts';
import type { Attributes } from '../spans/telemetry.ts';
import type { Cell } from './cell.ts';

/** Who serves the calls of a table that names no provider, by a column or a value that only it has. */
const SERVERS: readonly (readonly [provider: string, column: RegExp, value?: RegExp])[] = [
  // Its models run on machines of the caller: https://github.com/ollama/ollama/blob/main/docs/api.md
  ['ollama', /^eval_duration$/],
  ['snowflake', /^token_credits$/],
  // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/batch-prediction-gemini
  ['gcp.vertex_ai', /^processed_time$/],
  // https://docs.databricks.com/aws/en/admin/system-tables/model-serving-cost
  ['databricks', /^(?:served_)?entity_name$/, /^system\.ai\./],
];
export const servedBy = (columns: readonly Cell[]): string | undefined =>
  SERVERS.find(([, column, value]) =>
    columns.some(([name, , cell]) => column.test(name) && (value?.test(String(cell)) ?? true)),
  )?.[0];

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
