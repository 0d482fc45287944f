/** Compression dictionary of new items. */
export const NEWEST_DICTIONARY = 1;

/** A typical item: what an item shares with it costs a few bits. Names and values that vary little are all in it. */
const first = [
  '"unknown":{"cost":"price_not_found","energy":"model_unknown","carbon":"energy_unknown"}usage_missing',
  '"override""family""alias""producer""metered""country""provider_default""kind":"cache_write""kind":"reasoning"',
  'gateway_mediated proxy_observed agent_workflow batch_pipeline embedded_saas "unknown" proxy gateway "error" "incomplete"',
  'anthropic claude-sonnet-4-5 claude-haiku-4-5 google gemini-2.5-flash aws azure gpt-4.1 gpt-5-mini gpt-4o-mini eu-west-1 eu-central-1 us-west-2',
  '"output_state":"unresolved","coper":0,"interpretation":{"stage_origin":"stage_a","confidence":0,"confidence_band":"estimated","evidence_basis":"none"',
  '"coper":0.7,"confidence":0.7,"confidence_band":"provisional","evidence_basis":"credential_resolved"workload_resolved service_resolved below_floor unpriced source_stale',
  '{"record":{"id":"att_01M7XV0","invocation_id":"inv_","event_id":"-4","version":1,"occurred_at":"2026-11-21T01:19:54.000Z","created_at":"2026-11-21T01:19:55.062Z","as_of":"2026-',
  '"provider":"openai","requested_model":"gpt-4o","served_model":"gpt-4o","service":"","owner":null,"input_tokens":1000,"cached_input_tokens":null,"cache_write_tokens":null,"output_tokens":300,"reasoning_tokens":null,"latency_ms":4000,"trace_id":null,"ingestion_layer":"application","region":"us-east-1","residency":null,"pathway_category":"application_direct","status":"ok","tags":[],"output_state":"deterministically_resolved","coper":0.95,"interpretation":{"stage_origin":"stage_a","confidence":0.95,"confidence_band":"chargeback_ready","evidence_basis":"identity_resolved","model_version":"deterministic-1","degradation_state":"none","freshness":"fresh","export_eligibility":"eligible"}},',
  '"explanation":{"rules_version":"deterministic-1","rules":[{"rule":"identity","saw":{"attributed_identity":"team-"},"outcome":"matched","owner":"team-","confidence":0.95},{"rule":"service","saw":{"attributed_service":""},"outcome":"matched","service":"","confidence":0.95},{"rule":"workload","saw":{"k8s_cluster":"","k8s_namespace":"","k8s_workload":""},"outcome":"supporting","saw":{"spiffe_id":"spiffe://"},{"rule":"workload","saw":{},"outcome":"absent","confidence":0},{"rule":"credential","saw":{"api_key_name":""},{"rule":"credential","saw":{},"outcome":"absent","confidence":0}],',
  '"cost":{"source":"catalogue","catalogue":"genai-prices@0.1.8","price_match":"exact","priced_model":"gpt-4o","service_tier_multiplier":"1","low":"0.00","central":"0.00","high":"0.00","components":[{"kind":"input","quantity":800,"unit_price_usd_per_million":"2.5","cost_usd":"0.00"},{"kind":"cached_input","quantity":200,"unit_price_usd_per_million":"1.25","cost_usd":"0.000"},{"kind":"output","quantity":300,"unit_price_usd_per_million":"10","cost_usd":"0.00"}]},',
  '"energy":{"method":"ecologits-0.9.3","version":"parameters-2026.11","class":"C","gsd":2.5,"low":"0.","central":"0.","high":"2.","components":{"output_wh":"0.","input_wh":"0.0"}},',
  '"carbon":{"method":"location-based","version":"electricity-maps-2025@0.19.0","zone":"US-MIDA-PJM","zone_basis":"region","year":2025,"intensity_gco2e_per_kwh":"418","gsd":2.5266,"low":"0.0","central":"0.","high":"1.","components":{"usage_gco2e":"0.","embodied_gco2e":"0.00"}}}}',
].join('');

/**
 * Every dictionary ever used, by number. An item can only be read with the one it was written with:
 * never change or remove an entry, add another.
 */
export const dictionaries: Readonly<Record<number, Buffer>> = { 1: Buffer.from(first) };
