/** Number of the compression dictionary for new items. */
export const NEWEST_DICTIONARY = 2;

/**
 * Text of a typical item. Text that an item shares with the dictionary costs a few bits. It has all frequent names and
 * values.
 */
const first = [
  '"unknown":{"cost":"price_not_found","energy":"model_unknown","carbon":"energy_unknown"}usage_missing"dispute":{"id":"dsp_","status":"open","reason":"","proposed_owner":"","proposed_service":null,"opened_by":"key_","opened_at":"2026-","resolved_at":null}',
  ',"overrides":[{"id":"ovr_","by":"key_","at":"2026-","reason":"","owner":"team-","service":"","previous":{"owner":null,"service":null}}]"output_state":"manually_overridden","evidence_basis":"manual_override"',
  ',"allocation":{"version":"allocation-","method":"proportional","window":{"from":"2026-11-01T00:00:00.000Z","to":"2026-11-02T00:00:00.000Z"},"parts":[{"owner":"team-","ratio":"0.","cost_usd":"0.00","energy_wh":"0.","carbon_gco2e":"0."},{"owner":null,"ratio":"0."}]}"output_state":"allocated","stage_origin":"stage_c","evidence_basis":"allocation_rule"',
  '"override""family""alias""producer""contract""structure""metered""country""provider_default""kind":"cache_write""kind":"reasoning""kind":"total""catalogue":"producer""class":"A""class":"B""class":"D"',
  'proxy_observed agent_workflow batch_pipeline embedded_saas "unknown" proxy "error" "incomplete" invoke_agent execute_tool embeddings text_completion generate_content',
  'anthropic claude-sonnet-4-5 claude-haiku-4-5 claude-opus-4-5 google gemini-2.5-flash gemini-2.5-pro aws bedrock azure mistral gpt-4.1 gpt-5 gpt-5-mini gpt-4o-mini text-embedding-3-small eu-west-1 eu-central-1 us-west-2 us-central1',
  ',"prediction":{"model_version":"mdl_","basis":"model_inferred","owner":"team-","service":"","confidence":0.,"novel":false,"advisory":false,"alternatives":[{"owner":"team-","service":"","probability":0.0},{"owner":null,"service":null,"probability":0.0}]}"basis":"heuristic_baseline","advisory":true"degradation_state":"degraded_serving""disabled""model_recalled"',
  '"output_state":"strongly_inferred","coper":0.9,"interpretation":{"stage_origin":"stage_b","confidence":0.9,"confidence_band":"chargeback_ready","evidence_basis":"model_inferred","model_version":"mdl_weakly_inferred',
  '"output_state":"unresolved","coper":0,"interpretation":{"stage_origin":"stage_a","confidence":0,"confidence_band":"estimated","evidence_basis":"none"',
  '"coper":0.7,"interpretation":{"stage_origin":"stage_a","confidence":0.7,"confidence_band":"provisional","evidence_basis":"credential_resolved"workload_resolved service_resolved trace_correlated below_floor unpriced source_stale',
  '"model_version":"deterministic-2+mappings-"rules_version":"deterministic-2+mappings-","rules":[{"rule":"mapping","mapping":{"id":"map_","name":""},"saw":{"tags":"","k8s_namespace":"","source_system":""},"outcome":"matched","owner":"team-","service":"","confidence":0.95},"outcome":"conflicting"',
  '{"rule":"trace","saw":{"relation":"ancestor","span_id":""},"outcome":"matched","owner":"team-","service":"","confidence":0.9},{"rule":"trace","saw":{"relation":"trace","span_id":"{"rule":"trace","saw":{},"outcome":"absent","confidence":0},',
  ',"storedEvent":{"operation":"chat","span_id":"","parent_span_id":"","k8s_namespace":"","k8s_workload":"","k8s_cluster":"","spiffe_id":"spiffe://prod/ns//sa/","api_key_name":"","source_system":"","trace":{"source":{"relation":"ancestor","span_id":"","evidence":{"attributed_identity":"team-","attributed_service":"","tags":[]}},"repeatsUsage":false}}"trace":{"source":null,"repeatsUsage":true}}}"estimated_cost_usd":"0.',
  '{"rule":"workload","saw":{"k8s_cluster":"","k8s_namespace":"","k8s_workload":"","spiffe_id":"spiffe://"},"outcome":"supporting","owner":"","service":"","confidence":0.85},{"rule":"credential","saw":{"api_key_name":""},"outcome":"supporting","owner":"","confidence":0.6}],',
  '{"record":{"id":"att_01M8","invocation_id":"inv_","event_id":"-4-8-9-a-b","version":1,"occurred_at":"2026-12-01T10:20:30.000Z","created_at":"2026-12-01T10:20:30.000Z","as_of":"2026-12-01T10:20:30.000Z",',
  '"provider":"openai","requested_model":"gpt-4o","served_model":"gpt-4o","service":"search","owner":"team-search","input_tokens":1000,"cached_input_tokens":null,"cache_write_tokens":null,"output_tokens":300,"reasoning_tokens":null,"latency_ms":4000,"ingestion_layer":"application","region":"us-east-1","residency":null,"pathway_category":"application_direct","ingestion_layer":"gateway","region":"us-east-1","residency":null,"pathway_category":"gateway_mediated","status":"ok","tags":["env:prod"],"tags":[],"output_state":"deterministically_resolved","coper":0.95,"interpretation":{"stage_origin":"stage_a","confidence":0.95,"confidence_band":"chargeback_ready","evidence_basis":"identity_resolved","model_version":"deterministic-2","degradation_state":"none","freshness":"fresh","export_eligibility":"eligible"}},',
  '"explanation":{"rules_version":"deterministic-2","rules":[{"rule":"identity","saw":{},"outcome":"absent","confidence":0},{"rule":"service","saw":{},"outcome":"absent","confidence":0},{"rule":"identity","saw":{"attributed_identity":"team-search"},"outcome":"matched","owner":"team-search","confidence":0.95},{"rule":"service","saw":{"attributed_service":"search"},"outcome":"matched","service":"search","confidence":0.95},{"rule":"workload","saw":{},"outcome":"absent","confidence":0},{"rule":"credential","saw":{},"outcome":"absent","confidence":0}],',
  '"cost":null,"energy":null,"carbon":null},"storedEvent":{}}"cost":{"source":"catalogue","catalogue":"genai-prices@0.1.8","price_match":"exact","priced_model":"gpt-4o","service_tier_multiplier":"1","low":"0.00","central":"0.00","high":"0.00","components":[{"kind":"input","quantity":800,"unit_price_usd_per_million":"2.5","cost_usd":"0.00"},{"kind":"cached_input","quantity":400,"unit_price_usd_per_million":"1.25","cost_usd":"0.000"},{"kind":"output","quantity":300,"unit_price_usd_per_million":"10","cost_usd":"0.00"}]},',
  '"energy":{"method":"ecologits-0.9.3","version":"parameters-2026.11","class":"C","gsd":2.5,"low":"0.","central":"0.","high":"2.","components":{"output_wh":"0.","input_wh":"0.0"}},',
  '"carbon":{"method":"location-based","version":"electricity-maps-2025@0.19.0","zone":"US-MIDA-PJM","zone_basis":"region","year":2025,"intensity_gco2e_per_kwh":"418","gsd":2.5266,"low":"0.0","central":"0.","high":"1.","components":{"usage_gco2e":"0.","embodied_gco2e":"0.00"}}},"storedEvent":{"operation":"chat","attributed_identity":"team-search","attributed_service":"search"}}',
].join('');

/** Two whole records as the engine writes them: one found by its workload, and one that names its owner, in a trace. */
const second = [
  first,
  '{"record":{"id":"att_","invocation_id":"inv_","event_id":"","version":1,"occurred_at":"2026-12-01T10:20:30.000Z","created_at":"2026-12-01T10:20:30.000Z","as_of":"2026-12-01T10:20:30.000Z","provider":"aws.bedrock","requested_model":"amazon.nova-pro-v1:0","served_model":"eu.anthropic.claude-sonnet-4-5-20250929-v1:0","service":"search/ranker","owner":"team-search","input_tokens":1000,"cached_input_tokens":null,"cache_write_tokens":null,"output_tokens":300,"reasoning_tokens":55,"latency_ms":4000,"ingestion_layer":"application","region":"eu-central-1","residency":null,"pathway_category":"application_direct","status":"ok","tags":["env:prod"],',
  '"output_state":"deterministically_resolved","coper":0.95,"interpretation":{"stage_origin":"stage_a","confidence":0.95,"confidence_band":"chargeback_ready","evidence_basis":"identity_resolved","model_version":"deterministic-4+mappings-","degradation_state":"none","freshness":"source_current","export_eligibility":"eligible"}},',
  '"explanation":{"rules_version":"deterministic-4+mappings-","rules":[{"rule":"mapping","mapping":{"id":"map_","name":"Everybody of team-"},"basis":"identity_resolved","saw":{"end_user":"@team-.example"},"outcome":"matched","owner":"team-","confidence":0.95},',
  '{"rule":"identity","saw":{},"outcome":"absent","confidence":0},',
  '{"rule":"service","saw":{},"outcome":"absent","confidence":0},',
  '{"rule":"workload","saw":{"k8s_cluster":"prod-eu-1","k8s_namespace":"search","k8s_workload":"ranker"},"outcome":"matched","service":"search/ranker","confidence":0.85},',
  '{"rule":"trace","saw":{},"outcome":"absent","confidence":0},',
  '{"rule":"credential","saw":{"api_key_name":""},"outcome":"supporting","owner":"","confidence":0.6}],',
  '"cost":{"source":"catalogue","catalogue":"genai-prices@0.1.8","price_match":"exact","priced_model":"amazon.nova-pro-v1:0","service_tier_multiplier":"0.5","low":"0.00","central":"0.00","high":"0.00","components":[{"kind":"input","quantity":1000,"unit_price_usd_per_million":"0.3","cost_usd":"0.00"},{"kind":"cache_write","quantity":1000,"unit_price_usd_per_million":"3.75","cost_usd":"0.00"},{"kind":"output","quantity":177,"unit_price_usd_per_million":"15","cost_usd":"0.00"},{"kind":"reasoning","quantity":55,"unit_price_usd_per_million":"15","cost_usd":"0.00"}]},',
  '"energy":{"method":"ecologits-0.9.3-8bit","version":"parameters-2026.11-6","class":"D","gsd":4,"low":"0.0","central":"0.0","high":"0.","components":{"output_wh":"0.0","input_wh":"0.00"}},',
  '"carbon":{"method":"location-based","version":"ember-2024@0.19.0","zone":"USA","zone_basis":"provider_default","year":2024,"intensity_gco2e_per_kwh":"383.55","gsd":2.8005,"low":"0.0","central":"0.0","high":"0.","components":{"usage_gco2e":"0.0","embodied_gco2e":"0.00"},',
  '"market_based":{"usage_gco2e":"0","low":"0","high":"0","intensity_gco2e_per_kwh":"0","year":2024,"source":"https://aws.amazon.com/about-aws/sustainability/"}},',
  '"water":{"version":"water-2026.11","low":"0.00","central":"0.0","high":"0.","on_site_ml":"0.00","electricity_ml":"0.0","wue_l_per_kwh":"0.14","electricity_l_per_kwh":"1."}},',
  '"storedEvent":{"operation":"chat","batch":true,"span_id":"","parent_span_id":"","end_user":"","k8s_cluster":"prod-eu-1","k8s_namespace":"search","k8s_workload":"ranker","spiffe_id":"spiffe://prod.example.org/ns/search/sa/ranker","stated_by":{"kind":"api_key","id":"key_"}}}',
  '{"record":{"id":"att_","invocation_id":"inv_","event_id":"","version":1,"occurred_at":"2026-12-01T10:20:30.000Z","created_at":"2026-12-01T10:20:30.000Z","as_of":"2026-12-01T10:20:30.000Z","provider":"openai","requested_model":"gpt-4o","served_model":"gpt-4o-2024-08-06","service":"search","owner":"team-search","input_tokens":1000,"cached_input_tokens":0,"cache_write_tokens":null,"output_tokens":300,"reasoning_tokens":null,"latency_ms":4000,"ingestion_layer":"gateway","region":null,"residency":null,"pathway_category":"gateway_mediated","status":"ok","tags":["env:prod"],',
  '"output_state":"deterministically_resolved","coper":0.95,"interpretation":{"stage_origin":"stage_a","confidence":0.95,"confidence_band":"chargeback_ready","evidence_basis":"identity_resolved","model_version":"deterministic-4+mappings-","degradation_state":"none","freshness":"source_current","export_eligibility":"eligible"}},',
  '"explanation":{"rules_version":"deterministic-4+mappings-","rules":[{"rule":"identity","saw":{"attributed_identity":"team-search"},"outcome":"matched","owner":"team-search","confidence":0.95},',
  '{"rule":"service","saw":{"attributed_service":"search"},"outcome":"matched","service":"search","confidence":0.95},',
  '{"rule":"workload","saw":{},"outcome":"absent","confidence":0},',
  '{"rule":"trace","saw":{},"outcome":"absent","confidence":0},',
  '{"rule":"credential","saw":{},"outcome":"absent","confidence":0}],',
  '"cost":{"source":"catalogue","catalogue":"genai-prices@0.1.8","price_match":"exact","priced_model":"gpt-4o","service_tier_multiplier":"1","low":"0.00","central":"0.00","high":"0.00","components":[{"kind":"input","quantity":800,"unit_price_usd_per_million":"2.5","cost_usd":"0.00"},{"kind":"cached_input","quantity":1000,"unit_price_usd_per_million":"0.1","cost_usd":"0.00"},{"kind":"output","quantity":300,"unit_price_usd_per_million":"10","cost_usd":"0.00"}]},',
  '"energy":{"method":"ecologits-0.9.3-8bit","version":"parameters-2026.11-6","class":"C","gsd":2.5,"low":"0.0","central":"0.0","high":"0.","components":{"output_wh":"0.0","input_wh":"0.00"}},',
  '"carbon":{"method":"location-based","version":"electricity-maps-2025@0.19.0","zone":"US-MIDA-PJM","zone_basis":"region","year":2025,"intensity_gco2e_per_kwh":"418","gsd":2.5266,"low":"0.0","central":"0.0","high":"0.","components":{"usage_gco2e":"0.0","embodied_gco2e":"0.00"},',
  '"market_based":{"usage_gco2e":"0.0","low":"0.0","high":"0.","intensity_gco2e_per_kwh":"94","year":2024,"source":"https://arxiv.org/abs/2508.15734"}},',
  '"water":{"version":"water-2026.11","low":"0.00","central":"0.0","high":"0.","on_site_ml":"0.00","electricity_ml":"0.0","wue_l_per_kwh":"0.56","electricity_l_per_kwh":"3."}},',
  '"storedEvent":{"operation":"chat","span_id":"","end_user":"","attributed_service":"search","trace":{"source":null,"repeatsUsage":false},"stated_by":{"kind":"api_key","id":"key_"}}}',
].join('');

/**
 * Every dictionary that was ever used, by number. An item can only be read with the dictionary it was written with.
 * Never change or remove an entry: add a new one.
 */
export const dictionaries: Readonly<Record<number, Buffer>> = {
  1: Buffer.from(first),
  2: Buffer.from(second),
};
