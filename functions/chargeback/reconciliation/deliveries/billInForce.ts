import type { BilledDay, BilledRow, BillLine } from '../rows/bill.ts';
import { isSamePurchase } from '../rows/purchase.ts';
import { type Biller, billersOf, type StoredDelivery } from './delivery.ts';

/** A complete delivery. Later ones lie on top of it. */
export interface Layer {
  readonly delivery: StoredDelivery;
  readonly billers: readonly Biller[];
}

/** The complete deliveries in the order in which they count. */
export const layersOf = (deliveries: readonly StoredDelivery[]): Layer[] =>
  deliveries
    .filter(({ state }) => state === 'complete')
    .sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
    .map((delivery) => ({ delivery, billers: billersOf(delivery) }));

/** The layers of a UTC day. */
export const layersOn = (layers: readonly Layer[], day: string): Layer[] =>
  layers.filter(({ delivery: { from, to } }) => from <= day && day < to);

/** Whether the bill of one biller is a bill of the other too. A bill without an account is that of the whole provider. */
const overlaps = (one: Biller, other: Biller): boolean =>
  one.provider === other.provider &&
  (one.account === null || other.account === null || one.account === other.account);

const replaces = ({ delivery: { mode }, billers }: Layer, biller: Biller): boolean =>
  mode === 'replace' && billers.some((own) => overlaps(own, biller));

/** Whether rows of a layer of a day can be in force: unless later layers replace all its billers. */
export const hasRowsInForce = (ofDay: readonly Layer[], index: number): boolean =>
  ofDay[index]?.billers.some((biller) => !ofDay.slice(index + 1).some((later) => replaces(later, biller))) ??
  false;

type DatedLine = BillLine & Pick<BilledRow, 'at'>;

/** What stays of the rows below a layer. A bill replaces all rows of its billers, and merged rows the same purchases. */
const remaining = (below: readonly DatedLine[], layer: Layer, rows: readonly BillLine[]): DatedLine[] => {
  if (layer.delivery.mode === 'replace') {
    return below.filter(({ biller: provider, account }) => !replaces(layer, { provider, account }));
  }
  const byKey = Map.groupBy(rows, ({ key }) => key);
  return below.filter((line) => !byKey.get(line.key)?.some((row) => isSamePurchase(row, line)));
};

/**
 * The bill in force on a UTC day, by provider and model. Pass all layers of the day in order, and the rows of each, which
 * may be none where {@link hasRowsInForce} is false.
 */
export const billInForce = (
  ofDay: readonly Layer[],
  day: string,
  rowsOf: (delivery: StoredDelivery) => readonly BillLine[],
): BilledDay[] => {
  const lines = ofDay.reduce<DatedLine[]>((below, layer) => {
    const rows = rowsOf(layer.delivery);
    const { at } = layer.delivery;
    return [...remaining(below, layer, rows), ...rows.map((row) => ({ ...row, at }))];
  }, []);
  return [...Map.groupBy(lines, ({ provider, model }) => JSON.stringify([provider, model])).values()].flatMap(
    (rows) => {
      const [first] = rows;
      return first === undefined ? [] : [{ provider: first.provider, model: first.model, day, rows }];
    },
  );
};
