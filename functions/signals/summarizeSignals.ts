import type { ConnectorReport, DiscoveryRecord } from '../coverage/discovery.store.ts';
import type { Signal } from './parseSignal.ts';

/** What signals come to together: each finding once, over all of its signals, and the newest word of each connector. */
export const summarizeSignals = (
  signals: readonly Signal[],
  residency: string | null,
): { readonly found: DiscoveryRecord[]; readonly reported: ConnectorReport[] } => {
  const found = new Map<string, DiscoveryRecord>();
  const reported = new Map<string, ConnectorReport>();
  for (const signal of signals) {
    if (signal.kind === 'discovery') {
      const { source, provider, pathway_category, first_seen, last_seen } = signal.data;
      const key = JSON.stringify([source, provider, pathway_category]);
      const known = found.get(key);
      const [first, last] = [Date.parse(first_seen), Date.parse(last_seen)];
      found.set(key, {
        source,
        provider,
        pathway_category,
        residency,
        first: Math.min(first, known?.first ?? first),
        last: Math.max(last, known?.last ?? last),
      });
    }
    if (signal.kind === 'connector_health') {
      const { connector, status } = signal.data;
      const known = reported.get(connector);
      if (known === undefined || known.at <= signal.at) {
        reported.set(connector, { connector, status, residency, at: signal.at });
      }
    }
  }
  return { found: [...found.values()], reported: [...reported.values()] };
};
