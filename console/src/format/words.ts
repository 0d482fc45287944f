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
  deterministically_resolved: 'Resolved by a rule',
  strongly_inferred: 'Strongly inferred',
  weakly_inferred: 'Weakly inferred',
  allocated: 'Allocated',
  manually_overridden: 'Overridden by hand',
  unresolved: 'Unresolved',
  chargeback_ready: 'Ready to charge back',
  provisional: 'Provisional',
  estimated: 'Estimated',
  mixed: 'Not shown apart',
  owner: 'Owner',
  service: 'Service',
  provider: 'Provider',
  served_model: 'Model',
  pathway_category: 'Pathway',
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
  degraded_serving: 'Predictions are degraded',
  model_recalled: 'The model was recalled',
  dns: 'DNS',
  casb: 'CASB',
  admin_api: 'Admin API',
};

const sentence = (value: string): string => {
  const text = value.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

export const wordFor = (value: string): string => words[value] ?? sentence(value);
