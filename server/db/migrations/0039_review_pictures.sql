CREATE TABLE "review_pictures" (
	"id" text PRIMARY KEY NOT NULL,
	"review_id" text NOT NULL,
	"key" text NOT NULL,
	"mime_type" text NOT NULL,
	"original_name" text NOT NULL,
	"size" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	CONSTRAINT "review_pictures_key" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "review_pictures" ADD CONSTRAINT "review_pictures_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "review_pictures_review" ON "review_pictures" USING btree ("review_id");
--> statement-breakpoint
-- Pages that show the review are purged.
CREATE FUNCTION tell_review_pictures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_pages('product:' || product_id) FROM reviews WHERE id = coalesce(NEW.review_id, OLD.review_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER review_pictures_told AFTER INSERT OR DELETE ON review_pictures FOR EACH ROW EXECUTE FUNCTION tell_review_pictures();
