import { getContractPrices } from '../../../../sdk/typescript/src/operations.ts';
import type { ContractPrice } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Page } from '../../components/Page.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import type { RowAction } from '../../components/tables/RowActions.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { useDialog } from '../../forms/useDialog.ts';
import { PriceDialog, RemovePriceDialog } from './PriceDialogs.tsx';
import { keyOfPrice, pricesText } from './priceEntry.ts';

/** What the tenant agreed with its providers, in place of list prices. */
export const Prices = () => {
  const state = useRead(['contract-prices'], getContractPrices);
  const add = useDialog('add-price');
  const change = useDialog('change-price');
  const remove = useDialog('remove-price');
  const priceWith = (key: string): ContractPrice | undefined =>
    state.data?.prices.find((price) => keyOfPrice(price) === key);
  const changed = priceWith(change.subject);
  const columns: readonly Column<ContractPrice>[] = [
    {
      title: 'Model',
      cell: ({ provider, model }) => (
        <>
          {model}
          <span className="sub">{provider}</span>
        </>
      ),
    },
    { title: 'From', cell: ({ from }) => <Moment at={from} /> },
    { title: 'Region', cell: ({ region }) => region ?? <span className="quiet">all</span> },
    { title: 'USD per million', cell: (price) => <span className="num">{pricesText(price)}</span> },
    { title: 'Agreed in', cell: ({ source }) => source ?? <span className="quiet">not said</span> },
  ];
  const actionsOf = (price: ContractPrice): readonly RowAction[] => [
    { label: 'Change', subject: price.model, run: () => change.open(keyOfPrice(price)) },
    { label: 'Remove', subject: price.model, isDanger: true, run: () => remove.open(keyOfPrice(price)) },
  ];
  return (
    <Page
      title="Contract prices"
      lead="Prices that you agreed with your providers. They take precedence over list prices."
      actions={
        <button type="button" className="button primary" onClick={() => add.open()}>
          Add a price
        </button>
      }
    >
      <Card title="Prices">
        <Loaded of={state} height={240}>
          {({ prices }) =>
            prices.length === 0 ? (
              <Empty title="List prices only">
                Add what your contracts say, by model, region and date. Each record names the price that it
                used.
              </Empty>
            ) : (
              <Table
                label="Contract prices"
                columns={columns}
                rows={prices}
                keyOf={keyOfPrice}
                actions={actionsOf}
              />
            )
          }
        </Loaded>
      </Card>
      <PriceDialog of={add} price={undefined} />
      {changed !== undefined && <PriceDialog of={change} price={changed} />}
      <RemovePriceDialog of={remove} model={priceWith(remove.subject)?.model ?? 'the model'} />
    </Page>
  );
};
