import { previousMonth } from './openapiText.ts';
import { type Publication, publication } from './publication.ts';

/** A JSON document whose examples follow the calendar. It is built once a month in each process. */
export const monthlyPublication = (textAt: (now: number) => string): ((now: number) => Publication) => {
  let current: { readonly month: string; readonly document: Publication } | undefined;
  return (now) => {
    const month = previousMonth(now);
    if (current?.month !== month) {
      current = { month, document: publication('application/json', textAt(now)) };
    }
    return current.document;
  };
};
