import { Link } from 'wouter';
import { listBudgets } from '../../../../sdk/typescript/src/operations.ts';
import { everyRow, useRead } from '../../api/useRead.ts';
import { Card } from '../../components/Card.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { BudgetBar } from '../budgets/BudgetBar.tsx';
import { byUrgency } from '../budgets/budgetState.ts';

const SHOWN = 4;

export const BudgetsCard = () => {
  const budgets = useRead(['budgets', 'all'], (client, options) =>
    everyRow(listBudgets(client, {}, options)),
  );
  return (
    <Card title="Budgets" aside={<Link href="/budgets">All budgets</Link>}>
      <Loaded of={budgets} height={240}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No budget yet" action={<Link href="/budgets">Create a budget</Link>}>
              A budget warns at percentages of its ceiling, by default 75, 100 and 150. It never stops a call.
            </Empty>
          ) : (
            <div className="rows">
              {rows
                .toSorted(byUrgency)
                .slice(0, SHOWN)
                .map((budget) => (
                  <BudgetBar key={budget.id} budget={budget} />
                ))}
            </div>
          )
        }
      </Loaded>
    </Card>
  );
};
