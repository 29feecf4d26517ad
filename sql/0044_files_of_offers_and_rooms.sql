-- Files that broker and investor share, and documents of data rooms. Validated in the next file.
alter table files drop constraint files_subject_type_check;
alter table files add constraint files_subject_type_check
  check (subject_type in ('contact', 'company', 'project', 'prospect', 'property', 'offer', 'room')) not valid;
