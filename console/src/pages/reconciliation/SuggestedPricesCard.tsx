import type { SuggestedPrice } from '../../../../sdk/typescript/src/types.ts';
import { Card } from '../../components/Card.tsx';
import type { RowAction } from '../../components/tables/RowActions.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatCount, formatUsd } from '../../format/amount.ts';
import { formatDayOfYear } from '../../format/time.ts';
import { useDialog } from '../../forms/useDialog.ts';
import { useCan } from '../../session/session.ts';
import { PriceDialog } from '../prices/PriceDialogs.tsx';
import { keyOfPrice, pricesText } from '../prices/priceEntry.ts';

const keyOf = ({ price }: SuggestedPrice): string => keyOfPrice(price);

const columns: readonly Column<SuggestedPrice>[] = [
  {
    title: 'Model',
    cell: ({ price: { provider, model, region }, overridden_in: overridden = [] }) => (
      <>
        {model}
        <span className="sub">{[provider, region].filter((part) => part !== undefined).join(' · ')}</span>
        {overridden.length > 0 && (
          <span className="sub unknown">your own price of {overridden.join(', ')} wins there</span>
        )}
      </>
    ),
  },
  {
    title: 'USD per million',
    cell: ({ price }) => <span className="num">{pricesText(price)}</span>,
  },
  { title: 'From', cell: ({ evidence }) => formatDayOfYear(evidence.from) },
  { title: 'Billed', right: true, cell: ({ evidence }) => formatUsd(evidence.billed_usd) },
  {
    title: 'Recorded',
    right: true,
    cell: ({ evidence: { recorded_usd: recorded, unpriced_invocations: unpriced } }) => (
      <>
        {formatUsd(recorded)}
        {unpriced > 0 && <span className="sub unknown">{formatCount(unpriced)} of unknown price</span>}
      </>
    ),
  },
];

/** Prices that the bills imply: they name as many tokens as the records, at another cost. */
export const SuggestedPricesCard = ({ suggestions }: { suggestions: readonly SuggestedPrice[] }) => {
  const accept = useDialog('accept-price');
  const canSet = useCan('finance:config');
  const accepted = suggestions.find((suggestion) => keyOf(suggestion) === accept.subject);
  const actionsOf = (suggestion: SuggestedPrice): readonly RowAction[] => [
    {
      label: 'Add the price',
      subject: `of ${suggestion.price.model}`,
      run: () => accept.open(keyOf(suggestion)),
    },
  ];
  return (
    <Card title="Prices that your bills imply">
      <div className="stack">
        <p className="small quiet">
          The bills of these models have exactly the recorded tokens at another cost. Add the price, then
          reprocess the records of these days.
        </p>
        <Table
          label="Suggested prices"
          columns={columns}
          rows={suggestions}
          keyOf={keyOf}
          actions={canSet ? actionsOf : undefined}
        />
      </div>
      {accepted !== undefined && <PriceDialog of={accept} price={undefined} values={accepted.price} />}
    </Card>
  );
};
