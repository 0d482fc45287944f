import { chargeThreshold, isMistaken } from '../calibration/chargeThreshold.ts';
import { calibrate } from '../calibration/isotonic.ts';
import type { PredictionOutcome } from '../calibration/predictionOutcome.ts';
import { weightByRecency } from '../calibration/recency.ts';
import { isWithinBudget, type SizedOutcome } from '../calibration/strangerBudget.ts';
import { type Admission, type ChargeRule, isSupported } from '../chargeRule.ts';
import {
  type ConfidentCall,
  mostStrangerOdds,
  type StrangerOdds,
  sharesByConfidence,
  totalWeight,
} from '../openSet/strangers.ts';
import { compareTypicality, isResembled, sharesByTypicality } from '../openSet/typicality.ts';
import { sizeAt } from '../point.ts';
import { type ModelOutcome, refusedOutcomes, type Scored } from './outcomes.ts';
import type { TrainingState } from './trainingState.ts';

/** The calls of services that never label, as wrong outcomes. */
interface Strangers {
  /** Calls of held-out services, with together the weight of the members. */
  readonly heldOut: readonly ModelOutcome[];
  /** Number of held-out services. */
  readonly services: number;
  readonly odds: StrangerOdds;
  /** Labels that a service resembles that never labels. */
  readonly resembled: ReadonlySet<number>;
}

/** Those in regions where labelled calls support the predicted label, and the service that no held-out one stands for. */
interface SupportedStrangers extends Pick<Strangers, 'odds'> {
  readonly heldOut: readonly SizedOutcome[];
  readonly unseen: PredictionOutcome;
}

/** How many calls of services that never label come with a call of the others. */
const strangersIn = (
  { predictions }: TrainingState,
  outcomes: readonly ModelOutcome[],
  members: readonly ModelOutcome[],
  confidenceOf: (prediction: Scored) => number,
  labelAlike: boolean,
): Strangers => {
  const past = predictions.map((prediction) => ({ ...prediction, weight: 1 }));
  const all = weightByRecency(past);
  const labelled = all.filter(({ truth }) => truth !== null);
  const judged = ({ weight, ...prediction }: Scored & { readonly weight: number }): ConfidentCall => ({
    weight,
    confidence: confidenceOf(prediction),
  });
  const open = all.filter(({ truth }) => truth === null);
  const byConfidence = sharesByConfidence({
    members: members.map(judged),
    open: open.map(judged),
    strangers: labelled.map(({ stranger, weight }) => ({
      weight,
      confidence: stranger === null ? null : confidenceOf(stranger),
    })),
  });
  // Which services label changes rarely, so old calls count in full.
  const compared = compareTypicality(
    outcomes,
    past.filter(({ truth }) => truth === null),
  );
  const placed = past.flatMap(({ stranger, weight }) => (stranger === null ? [] : [{ ...stranger, weight }]));
  const byTypicality = sharesByTypicality(compared, placed);
  const odds = mostStrangerOdds({ byConfidence, byTypicality }, labelAlike);
  const resembled = new Set([...compared].flatMap(([label, own]) => (isResembled(own) ? [label] : [])));
  const factor = totalWeight(members) / (totalWeight(labelled) || 1);
  const heldOut = labelled.flatMap(({ stranger, at, weight }) =>
    stranger === null
      ? []
      : [
          {
            ...stranger,
            at,
            weight: weight * factor,
            confidence: confidenceOf(stranger),
            isRight: false,
            charged: null,
          },
        ],
  );
  return { heldOut, services: new Set(labelled.map(({ truth }) => truth)).size, odds, resembled };
};

const weighted = (outcomes: readonly SizedOutcome[], factor: number): SizedOutcome[] =>
  factor === 0 ? [] : outcomes.map((outcome) => ({ ...outcome, weight: outcome.weight * factor }));

/** Part of a service that passes beside the held-out ones (Jeffreys' prior). */
const UNSEEN_SERVICES = 0.5;
/**
 * Effective number of outcomes that admit open records again. They were refused once, and with fewer of them the least
 * threshold that passes is chance (measured).
 */
const REFUSED_MINIMUM = 200;

/**
 * The admission by the outcomes of supported calls, among calls of services that never label. What is assumed of these
 * decides what is charged, and what is measured of them also the confidence of that. Whole services pass or not, so that
 * no held-out one passed proves little about the next.
 */
const admissionOf = (
  outcomes: readonly SizedOutcome[],
  { heldOut, unseen, odds }: SupportedStrangers,
  { least, outcomesMinimum }: { readonly least?: number; readonly outcomesMinimum?: number } = {},
): Admission => {
  const all = [...outcomes, ...weighted(heldOut, odds.assumed), unseen];
  const strangers = weighted(heldOut, odds.measured);
  const isAcceptable = (from: number): boolean => isWithinBudget(outcomes, strangers, from);
  const threshold = Math.max(least ?? 0, chargeThreshold(all, { outcomesMinimum, isAcceptable }));
  const likely = [...outcomes, ...strangers];
  return { threshold, calibration: calibrate(likely.filter(({ score }) => score >= threshold)) };
};

/** How past predictions would be treated now, by the calibration and the open-set correction. */
interface Fitted {
  readonly confidenceOf: (prediction: Scored) => number;
  readonly supported: ChargeRule['supported'];
  readonly labelAlike: boolean;
}

/** Fits which predictions may be charged to past outcomes. */
export const fitChargeRule = (
  state: TrainingState,
  outcomes: readonly ModelOutcome[],
  { confidenceOf, supported: byRegion, labelAlike }: Fitted,
): ChargeRule => {
  const members = weightByRecency(outcomes);
  const { heldOut, services, odds, resembled } = strangersIn(
    state,
    outcomes,
    members,
    confidenceOf,
    labelAlike,
  );
  const byLabel = Map.groupBy(outcomes, ({ predicted }) => predicted);
  const mayBeCharged = (label: number): boolean =>
    !resembled.has(label) &&
    !isMistaken((byLabel.get(label) ?? []).map((one) => ({ ...one, score: confidenceOf(one) })));
  const supported = new Map(
    [...byRegion].map(([label, regions]) => [label, mayBeCharged(label) ? regions : 0]),
  );
  const supportedOutcomes = (outcomes: readonly ModelOutcome[]): SizedOutcome[] =>
    outcomes.flatMap(({ confidence, predicted, point, isRight, weight }) =>
      confidence !== null && isSupported(supported.get(predicted), point)
        ? [{ score: confidence, isRight, weight, size: sizeAt(point) }]
        : [],
    );
  const unseenWeight = (odds.measured * totalWeight(members) * UNSEEN_SERVICES) / (services + 1);
  const strangers: SupportedStrangers = {
    heldOut: supportedOutcomes(heldOut),
    unseen: { score: 1, isRight: false, weight: unseenWeight },
    odds,
  };
  const first = admissionOf(supportedOutcomes(members), strangers);
  const again = admissionOf(supportedOutcomes(refusedOutcomes(members)), strangers, {
    least: first.threshold,
    outcomesMinimum: REFUSED_MINIMUM,
  });
  return { supported, first, again };
};
