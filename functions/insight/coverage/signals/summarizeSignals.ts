import type { ConnectorReport, DiscoveryRecord } from '../discovery.store.ts';
import type { Signal } from './parseSignal.ts';

/** Merges signals: one discovery record for each finding, and the newest status of each connector. */
export const summarizeSignals = (
  signals: readonly Signal[],
  residency: string | null,
): { readonly found: DiscoveryRecord[]; readonly reported: ConnectorReport[] } => {
  const discoveries = new Map<string, DiscoveryRecord>();
  const reported = new Map<string, ConnectorReport>();
  for (const signal of signals) {
    if (signal.kind === 'discovery') {
      const { source, provider, pathway_category, first_seen, last_seen } = signal.data;
      const key = JSON.stringify([source, provider, pathway_category]);
      const existing = discoveries.get(key);
      const [first, last] = [Date.parse(first_seen), Date.parse(last_seen)];
      discoveries.set(key, {
        source,
        provider,
        pathway_category,
        residency,
        first: Math.min(first, existing?.first ?? first),
        last: Math.max(last, existing?.last ?? last),
      });
    }
    if (signal.kind === 'connector_health') {
      const { connector, status } = signal.data;
      const existing = reported.get(connector);
      if (existing === undefined || existing.at <= signal.at) {
        reported.set(connector, { connector, status, residency, at: signal.at });
      }
    }
  }
  return { found: [...discoveries.values()], reported: [...reported.values()] };
};
