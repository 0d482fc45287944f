/** The calls of groups that are not shown, for privacy. */
export const HIDDEN = 'Hidden: fewer than 5 people';

/** The words of the console for the values of the API. A value that is not listed is shown as it is. */
const words: Readonly<Record<string, string>> = {
  application_direct: 'Applications',
  gateway_mediated: 'Gateways',
  proxy_observed: 'Proxies',
  agent_workflow: 'Agent workflows',
  batch_pipeline: 'Batch pipelines',
  embedded_saas: 'Embedded in SaaS',
  unknown: 'Unknown',
  admin: 'Administrator',
  finops: 'FinOps',
  engineer: 'Engineer',
  viewer: 'Viewer',
  labelled_events: 'Calls whose owner is known',
  over_confidence: 'Confidence above reality',
  precision_lower_bound: 'Right predictions, at least',
  accuracy_over_heuristic: 'Accuracy beyond the most frequent owner',
  deterministically_resolved: 'Resolved by a rule',
  strongly_inferred: 'Strongly inferred',
  weakly_inferred: 'Weakly inferred',
  allocated: 'Allocated',
  manually_overridden: 'Overridden by hand',
  unresolved: 'Unresolved',
  chargeback_ready: 'Confidence of 0.80 or more',
  confirmed: 'Confirmed',
  unassigned: 'Nobody named',
  provisional: 'Provisional',
  estimated: 'Estimated',
  mixed: HIDDEN,
  owner: 'Owner',
  service: 'Service',
  provider: 'Provider',
  served_model: 'Model',
  model_family: 'Model family',
  pathway_category: 'Kind of traffic',
  region: 'Region',
  tenant: 'Whole tenant',
  rolling_30d: 'Last 30 days',
  month: 'Month',
  quarter: 'Quarter',
  day: 'Day',
  hour: 'Hour',
  discovery_only: 'Seen, not captured',
  not_seen: 'Never seen',
  cached_input: 'Cached input',
  cache_write: 'Cache write',
  cache_write_1h: 'Cache write for an hour',
  search: 'Web search',
  degraded_serving: 'Predictions are degraded',
  model_recalled: 'The model was recalled',
  dns: 'DNS',
  casb: 'CASB',
  admin_api: 'Admin API',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  aws: 'AWS',
  events_api: 'HTTP events and client libraries',
  opentelemetry: 'OpenTelemetry',
  coding_agents: 'Coding agents',
  litellm: 'LiteLLM',
  bedrock: 'Amazon Bedrock logs',
  vertex_ai: 'Vertex AI logs',
  azure_api_management: 'Azure API Management logs',
};

const sentence = (value: string): string => {
  const text = value.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

export const wordFor = (value: string): string => words[value] ?? sentence(value);

const principals: Readonly<Record<string, string>> = {
  usr: 'a user',
  key: 'an API key',
  cli: 'an OAuth client',
};

/** What an id stands for, such as `an API key`, for those who may not read its name. */
export const principalKind = (id: string | null): string => principals[id?.slice(0, 3) ?? ''] ?? 'unknown';
