/** Names of the counters. They are stored by tenant and hour. */
export const counterNames = [
  'duplicates',
  'duplicate_mismatches',
  'merged_observations',
  'joined_calls',
  'ambiguous_calls',
  'uncounted_calls',
  'rejected_statements',
  'contradicting_statements',
  'dropped_members',
  'implausible_amounts',
  'set_aside_malformed_message',
  'set_aside_invalid_event',
  'set_aside_attribution_failed',
  'signals_discovery',
  'signals_connector_health',
  'signals_other',
] as const;
export type CounterName = (typeof counterNames)[number];

/** Counts token counts that made no record, by the instrumentation scope that sent them. */
export const UNREAD_USAGE = 'unread_usage ';
/** What became of an event with a fault. */
export const faultOutcomes = ['refused', 'dropped', 'corrected'] as const;
export type FaultOutcome = (typeof faultOutcomes)[number];
/** Counts events with a fault, by outcome, member and producer. */
export const EVENT_FAULT = 'event_fault ';
/** A counter: one of the names, or one of a scope or of a fault. */
export type Counter =
  | CounterName
  | `${typeof UNREAD_USAGE}${string}`
  | `${typeof EVENT_FAULT}${FaultOutcome} ${string} ${string}`;
