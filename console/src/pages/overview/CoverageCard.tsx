import { Link } from 'wouter';
import { getCoverage } from '../../../../sdk/typescript/src/operations.ts';
import { useRead } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Pill } from '../../components/Pill.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { formatAgo } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';
import { pathwayStatus } from '../coverage/coverageState.ts';

const SHOWN = 5;

export const CoverageCard = () => {
  const coverage = useRead(['coverage'], getCoverage);
  return (
    <Card title="Where calls are captured" aside={<Link href="/coverage">Coverage</Link>}>
      <Loaded of={coverage} height={240}>
        {({ pathways, as_of: asOf }) =>
          pathways.length === 0 ? (
            <Empty title="Nothing captured yet">
              Each way in which calls reach a provider appears here with its first event.
            </Empty>
          ) : (
            <ul className="rows">
              {pathways.slice(0, SHOWN).map(({ pathway_category: pathway, state, layers }) => (
                <li key={pathway}>
                  <div className="line">
                    <strong>{wordFor(pathway)}</strong>
                    <Pill tone={pathwayStatus[state].tone}>{pathwayStatus[state].text}</Pill>
                  </div>
                  <span className="sub">
                    {layers
                      .map(
                        ({ ingestion_layer: layer, last_seen: seen }) =>
                          `${layer}, ${formatAgo(seen, Date.parse(asOf))}`,
                      )
                      .join(' · ') || 'nothing captures it'}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
};
