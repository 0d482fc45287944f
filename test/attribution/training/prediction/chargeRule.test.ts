import { expect, it } from 'vitest';
import { UNCALIBRATED } from '../../../../functions/attribution/training/prediction/calibration/isotonic.ts';
import {
  type ChargeRule,
  chargedConfidence,
  NO_CHARGE,
} from '../../../../functions/attribution/training/prediction/chargeRule.ts';

/** Label 1 is supported at points up to 5. */
const rule: ChargeRule = {
  supported: new Map([[1, { axis: 0, at: 5, below: 1, above: 0 }]]),
  first: { threshold: 0.8, calibration: { scores: [0.8, 1], shares: [0.9, 1] } },
  again: { threshold: 0.9, calibration: UNCALIBRATED },
};

it.each([
  ['charges from the threshold, with the confidence of what is charged', [1, [5], 0.9, false], 0.95],
  ['charges nothing below the threshold', [1, [5], 0.79, false], null],
  ['charges nothing where the label has no support', [1, [6], 0.9, false], null],
  ['charges nothing of a label without support', [2, [5], 0.9, false], null],
  ['needs more for a record that was left open', [1, [5], 0.89, true], null],
  ['has a calibration of its own for records that were left open', [1, [5], 0.92, true], 0.92],
] as const)('%s', (_, [label, point, confidence, isAgain], expected) => {
  const admission = isAgain ? rule.again : rule.first;
  const found = chargedConfidence(admission, rule.supported.get(label), point, confidence);

  expect(found === null ? null : Number(found.toFixed(6))).toBe(expected);
});

it('charges nothing before the first calibration', () => {
  expect(chargedConfidence(NO_CHARGE.first, NO_CHARGE.supported.get(1), [0], 1)).toBeNull();
});
