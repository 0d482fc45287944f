import { getContractPrices, putContractPrices } from '../../../../sdk/typescript/src/operations.ts';
import type { ContractPrice } from '../../../../sdk/typescript/src/types.ts';
import { isoDay } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';
import { TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';
import {
  firstDayOf,
  hasOtherPrices,
  KINDS,
  priceOf,
  pricesText,
  withoutPrice,
  withPrice,
} from './priceEntry.ts';

/** Kinds that are not priced per token. */
const PER_MILLION: Readonly<Partial<Record<(typeof KINDS)[number], string>>> = {
  request: 'Million requests',
  search: 'Million web searches',
  file_search: 'Million file searches',
  code_execution: 'Million code executions',
  rerank_search: 'Million rerank searches',
  audio_second: 'Million seconds of audio',
  video_second: 'Million seconds of video',
  image: 'Million images',
  page: 'Million pages',
  character: 'Million characters',
};

interface PriceDialogProps {
  readonly of: DialogState;
  /** The entry to change. */
  readonly price: ContractPrice | undefined;
  /** What the form is filled in with. */
  readonly values?: ContractPrice | undefined;
}

/** Adds an entry, or changes the given one. The list is read again before it is replaced, so that no other entry is lost. */
export const PriceDialog = ({ of, price, values = price }: PriceDialogProps) => (
  <FormDialog
    of={of}
    isWide
    title={price === undefined ? 'Add a contract price' : `Change the price of ${price.model}`}
    submit={price === undefined ? 'Add' : 'Save'}
    send={async (client, entries, options) => {
      const { prices } = await getContractPrices(client);
      return putContractPrices(
        client,
        { prices: withPrice(prices, priceOf(entries, price), of.subject) },
        options,
      );
    }}
  >
    <div className="pair">
      <TextField
        name="provider"
        label="Provider"
        required
        maxLength={128}
        placeholder="openai"
        defaultValue={values?.provider ?? ''}
      />
      <TextField
        name="model"
        label="Model"
        hint="Ends in * for all models that begin so"
        required
        maxLength={256}
        defaultValue={values?.model ?? ''}
      />
    </div>
    <div className="pair">
      <TextField
        name="from"
        label="From the start of (UTC)"
        type="date"
        required
        defaultValue={values === undefined ? isoDay(Date.now()) : firstDayOf(values)}
      />
      <TextField name="region" label="Region" hint="Empty: all" defaultValue={values?.region ?? ''} />
    </div>
    <fieldset>
      <legend>USD per million tokens. Empty: the price of the kind that contains it</legend>
      <div className="pair">
        {KINDS.map((kind) => (
          <TextField
            key={kind}
            name={kind}
            label={PER_MILLION[kind] ?? wordFor(kind)}
            inputMode="decimal"
            pattern="\d{1,9}(\.\d{1,6})?"
            defaultValue={values?.[kind] ?? ''}
          />
        ))}
      </div>
    </fieldset>
    {values !== undefined && hasOtherPrices(values) && (
      <p className="small quiet">Prices of long contexts and service tiers stay: {pricesText(values)}</p>
    )}
    <TextField
      name="source"
      label="Agreed in"
      hint="Such as a contract and its section"
      maxLength={256}
      defaultValue={values?.source ?? ''}
    />
    <p className="small quiet">New calls have this price within seconds. Earlier records keep their cost.</p>
  </FormDialog>
);

export const RemovePriceDialog = ({ of, model }: { of: DialogState; model: string }) => (
  <FormDialog
    of={of}
    title={`Remove the price of ${model}?`}
    submit="Remove"
    isDanger
    send={async (client, _, options) => {
      const { prices } = await getContractPrices(client);
      return putContractPrices(client, { prices: withoutPrice(prices, of.subject) }, options);
    }}
  >
    <p>New calls have the list price again. Earlier records keep their cost.</p>
  </FormDialog>
);
