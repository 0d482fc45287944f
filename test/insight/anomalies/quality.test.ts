import { expect, it } from 'vitest';
import { kinds, qualityOf } from '../../../bench/quality/anomalyQuality.ts';
import { sessionResults } from '../../../bench/quality/sessionTraffic.ts';

/** Bounds of the bench results for a few series. The seed is fixed, so the results are deterministic. */
const bounds = {
  'round the clock': { falseAlarms: 0.1, spikes: [1, 1, 1], drifts: [1, 1, 1] },
  'office hours': { falseAlarms: 0.1, spikes: [0.2, 0.8, 1], drifts: [1, 1, 1] },
  volatile: { falseAlarms: 0.4, spikes: [0, 0.4, 0.8], drifts: [0.8, 1, 1] },
} as const;

it.each(Object.entries(bounds))(
  'detects most planted anomalies in %s series, with few false alarms',
  (name, { falseAlarms, spikes, drifts }) => {
    const kind = kinds.find((one) => one.name === name);
    if (kind === undefined) throw new Error(`unknown kind of series: ${name}`);

    const quality = qualityOf(kind, 5, 2_026);

    expect(quality.falseAlarms).toBeLessThanOrEqual(falseAlarms);
    for (const [index, found] of [...quality.spikes.values()].entries()) {
      expect(found, `spike ${index}`).toBeGreaterThanOrEqual(spikes[index] ?? 1);
    }
    for (const [index, { detected: found }] of [...quality.drifts.values()].entries()) {
      expect(found, `drift ${index}`).toBeGreaterThanOrEqual(drifts[index] ?? 1);
    }
  },
);

// About three seconds.
it('finds raised hours of agent sessions, with few false alarms', () => {
  for (const { sessions, falseAlarms, recall } of sessionResults(5, 1)) {
    expect(falseAlarms, `${sessions} sessions an hour`).toBeLessThanOrEqual(0.1);
    expect(recall, `${sessions} sessions an hour`).toBeGreaterThanOrEqual(0.6);
  }
});
