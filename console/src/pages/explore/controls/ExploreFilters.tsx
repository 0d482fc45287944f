import { useState } from 'react';
import {
  DIMENSIONS,
  type Dimension,
  dimensionOf,
  nameOfDimension,
  nameOfValue,
  type TagDimension,
} from '../../../charts/usage.ts';
import { FilterBar } from '../../../filters/FilterBar.tsx';
import { useFilterValues } from '../../../filters/useFilterValues.ts';
import { type ExplorePeriod, type ExploreState, filtersOf, withFilters } from '../exploreState.ts';

interface ExploreFiltersProps {
  readonly state: ExploreState;
  readonly period: ExplorePeriod;
  readonly tags: readonly TagDimension[];
  readonly change: (members: Partial<ExploreState>) => void;
}

/** Which calls count. */
export const ExploreFilters = ({ state, period, tags, change }: ExploreFiltersProps) => {
  const [isUsed, setUsed] = useState(false);
  const filters = filtersOf(state);
  const dimensions: readonly Dimension[] = [...DIMENSIONS, ...tags];
  const values = useFilterValues(period, dimensions, isUsed);
  const set = (name: string, value: string | null): void => {
    const dimension = dimensionOf(name);
    if (dimension !== undefined) change(withFilters(state, [[dimension, value]]));
  };
  return (
    <FilterBar
      fields={dimensions.map((dimension) => ({
        name: dimension,
        label: nameOfDimension(dimension),
        values: values.get(dimension) ?? [],
        takesText: dimension !== 'pathway_category',
      }))}
      chips={[...filters].map(([dimension, value]) => ({
        name: dimension,
        label: nameOfDimension(dimension),
        text: nameOfValue(dimension, value),
      }))}
      add={set}
      remove={(name) => set(name, null)}
      onOpen={() => setUsed(true)}
    />
  );
};
