-- A row that is drawn for the statistics stands for as many rows as there are to one drawn. At a hundred that is one in a
-- hundred, and a name that few have would seem to be common when one of them is drawn.
alter statistics contacts_text_values set statistics 300;
alter statistics contacts_strategy_values set statistics 300;
alter statistics companies_text_values set statistics 300;
alter statistics companies_strategy_values set statistics 300;
