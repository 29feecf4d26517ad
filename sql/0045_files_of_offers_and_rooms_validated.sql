alter table files validate constraint files_subject_type_check;
