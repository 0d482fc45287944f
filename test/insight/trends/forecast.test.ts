import { describe, expect, it } from 'vitest';
import { forecastResults } from '../../../bench/quality/forecastQuality.ts';

// About a second for all.
describe.each(forecastResults(60, 1))('a forecast of $name that grow by $growth a week', (result) => {
  it('is near the outcome, and its range holds most outcomes', () => {
    expect(result.medianError).toBeLessThanOrEqual(0.13);
    expect(result.inRange).toBeGreaterThanOrEqual(0.75);
  });
});
